import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * How the editor looks. It is drawn in a shadow tree, where its styles are adopted style sheets: a page whose policy allows
 * no inline styles shows it as well. The variables of the page are inherited into it.
 */
export const editorLook: Extension = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--plinth-background)',
    color: 'var(--plinth-text)',
    fontSize: '0.9em',
  },
  '&.cm-focused': { outline: '2px solid var(--plinth-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--plinth-font-mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--plinth-text)' },
  '.cm-line': { paddingInline: '1rem' },
  '.cm-gutters': {
    border: '0',
    backgroundColor: 'var(--plinth-surface)',
    color: 'var(--plinth-muted)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--plinth-accent) 7%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--plinth-text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--plinth-accent) 28%, transparent)',
  },
  '.cm-panels': {
    borderColor: 'var(--plinth-border)',
    backgroundColor: 'var(--plinth-raised)',
    color: 'var(--plinth-text)',
  },
  '.tok-keyword, .tok-operatorKeyword': { color: 'light-dark(#7a2fb5, #d0a5ff)' },
  '.tok-string, .tok-string2, .tok-inserted': { color: 'light-dark(#1b6e42, #8fd6a9)' },
  '.tok-number, .tok-bool, .tok-atom, .tok-literal': { color: 'light-dark(#9a4a00, #f2b06a)' },
  '.tok-comment, .tok-meta': { color: 'var(--plinth-muted)' },
  '.tok-typeName, .tok-className, .tok-namespace, .tok-macroName': { color: 'light-dark(#00667f, #7fd3ea)' },
  '.tok-propertyName, .tok-variableName.tok-definition, .tok-labelName': {
    color: 'light-dark(#2b4fb8, #9fb8ff)',
  },
  '.tok-invalid, .tok-deleted': { color: 'var(--plinth-danger)' },
  '.tok-heading, .tok-strong': { fontWeight: '700' },
  '.tok-emphasis': { fontStyle: 'italic' },
  '.tok-link, .tok-url': { color: 'var(--plinth-accent)' },
});
