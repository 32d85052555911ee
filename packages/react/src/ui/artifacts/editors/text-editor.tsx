import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { ArtifactView } from '@plinth/protocol';
import { useEffect, useRef } from 'react';
import { useUi } from '../../ui-context.js';
import { editorLook } from './editor-look.js';
import { languageOf } from './language-of.js';

type TextEditorProps = {
  artifact: ArtifactView;
  title: string;
  text: string;
  /** Left out: the text is only read. */
  onChange?: (text: string) => void;
  onSave?: () => void;
};

/** A change that came from outside, and is not to be told there. */
const fromOutside = Annotation.define<boolean>();

/** The text in an editor that stays quick with a hundred thousand lines. Tab leaves it where it is only read. */
export function TextEditor({ artifact, title, text, onChange, onSave }: TextEditorProps) {
  const { strings } = useUi();
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const handlers = useRef({ onChange, onSave });
  handlers.current = { onChange, onSave };
  const first = useRef(text);
  const isEditable = onChange !== undefined;
  const label = strings.codeEditor(title);
  const hint = isEditable ? strings.editorHint : null;
  const { mimeType } = artifact;

  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const language = new Compartment();
    const view = new EditorView({
      parent: parent.shadowRoot ?? parent.attachShadow({ mode: 'open' }),
      state: EditorState.create({
        doc: first.current,
        extensions: [
          language.of([]),
          looks(label, mimeType),
          hint === null ? [] : EditorView.contentAttributes.of({ 'aria-description': hint }),
          isEditable ? editing(handlers) : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
        ],
      }),
    });
    editor.current = view;
    void languageOf({ mimeType }).then((found) => {
      if (found === null || editor.current !== view) return;
      const support = 'legacy' in found ? StreamLanguage.define(found.legacy) : found;
      view.dispatch({ effects: language.reconfigure(support) });
    });
    // Who is writing elsewhere, in the chat for example, goes on writing there.
    if (isEditable && !parent.ownerDocument.activeElement?.matches('input, textarea')) view.focus();
    return () => {
      editor.current = null;
      first.current = view.state.doc.toString();
      view.destroy();
    };
  }, [label, hint, mimeType, isEditable]);

  // A version of the model's, a merge, a discarded draft: what is on the page is what is meant.
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === text) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      annotations: fromOutside.of(true),
    });
  }, [text]);

  return (
    <div className="plinth-editor-place">
      <div ref={box} className="plinth-editor" />
      {isEditable && <p className="plinth-artifact-note plinth-editor-hint">{strings.editorHint}</p>}
    </div>
  );
}

function looks(label: string, mimeType: string): Extension {
  const isProse = mimeType === 'text/markdown' || mimeType === 'text/plain';
  return [
    editorLook,
    isProse ? [] : lineNumbers(),
    EditorView.lineWrapping,
    highlightSpecialChars(),
    bracketMatching(),
    highlightSelectionMatches(),
    syntaxHighlighting(classHighlighter),
    // Also a text that is only read is reached and scrolled by the keyboard.
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: String(isProse), tabindex: '0' }),
    keymap.of(searchKeymap),
  ];
}

function editing(handlers: { current: Pick<TextEditorProps, 'onChange' | 'onSave'> }): Extension {
  const save = () => {
    handlers.current.onSave?.();
    return true;
  };
  return [
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentOnInput(),
    // Escape and then Tab leaves the editor, as its documentation promises to keyboard users.
    keymap.of([
      { key: 'Mod-s', run: save, preventDefault: true },
      ...defaultKeymap,
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.domEventHandlers({ beforeinput: typeOver }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      if (update.transactions.some((transaction) => transaction.annotation(fromOutside))) return;
      handlers.current.onChange?.(update.state.doc.toString());
    }),
  ];
}

/** What is typed over a selection. Chromium would put it into an element with a style, which a strict page refuses and reports. */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty)
    return false;
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}
