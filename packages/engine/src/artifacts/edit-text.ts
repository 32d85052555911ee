import type { RunError } from '@plinth/protocol';

/** One replacement: `find` must stand in the text exactly once. */
export interface TextEdit {
  find: string;
  replace: string;
}

export type EditedText = { ok: true; text: string } | { ok: false; error: RunError };

const refusal = (code: string, message: string): EditedText => ({ ok: false, error: { code, message } });

/**
 * Carries out replacements, one after the other: each sees what those before it have made. All of them, or none. What is
 * replaced is named by its exact text, which has to be the only one of its kind: a model that does not know the text well
 * enough to say so must read it again instead of changing the wrong place.
 *
 * The errors are for the model: `text_not_found` and `text_not_unique` name the edit and what to do.
 */
export function editText(text: string, edits: readonly TextEdit[]): EditedText {
  let edited = text;
  for (const [index, { find, replace }] of edits.entries()) {
    const which = `edits[${index}]`;
    if (find === '') return refusal('invalid_arguments', `${which}.find is empty.`);
    const at = edited.indexOf(find);
    if (at === -1)
      return refusal(
        'text_not_found',
        `Nothing was changed: ${which}.find does not stand in the text${index > 0 ? ' as the edits before it leave it' : ''}. Read the part again and copy it exactly, with its spaces and line breaks.`,
      );
    const second = edited.indexOf(find, at + 1);
    if (second !== -1)
      return refusal(
        'text_not_unique',
        `Nothing was changed: ${which}.find stands in the text more than once. Take in more of what is around the place.`,
      );
    edited = edited.slice(0, at) + replace + edited.slice(at + find.length);
  }
  return { ok: true, text: edited };
}
