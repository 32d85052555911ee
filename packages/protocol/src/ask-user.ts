import type { JsonObject } from './json.js';

/** The name under which every Plinth client knows how to draw what `ask_user` asks. A host may register its own. */
export type AskUserComponent = 'plinth.ask_user';

export type AskUserOption = { value: string; label: string; description: string | null };

/** One thing that is asked. `label` is null when the question itself says it all. */
export type AskUserField = {
  name: string;
  label: string | null;
  type: 'choice' | 'choices' | 'text' | 'long_text' | 'number' | 'yes_no';
  options: AskUserOption[];
  required: boolean;
  min: number | null;
  max: number | null;
};

/** The props of the component. A single question has one field, named `answer`. */
export type AskUserProps = { question: string; fields: AskUserField[] };

const option: JsonObject = {
  type: 'object',
  properties: {
    value: { type: 'string', minLength: 1, maxLength: 200, description: 'What you get back.' },
    label: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'What the user reads; the value when left out.',
    },
    description: { type: 'string', maxLength: 300 },
  },
  required: ['value'],
  additionalProperties: false,
};
const options: JsonObject = { type: 'array', items: option, minItems: 2, maxItems: 20 };

const field: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,49}$', description: 'Its key in the answer.' },
    label: { type: 'string', minLength: 1, maxLength: 200 },
    type: { enum: ['choice', 'choices', 'text', 'long_text', 'number', 'yes_no'] },
    options: { ...options, description: 'For choice (one of them) and choices (any of them).' },
    required: { type: 'boolean', description: 'Default true.' },
    min: { type: 'number', description: 'Smallest number.' },
    max: { type: 'number', description: 'Largest number.' },
  },
  required: ['name', 'label', 'type'],
  additionalProperties: false,
};

/** JSON Schema of the arguments of `ask_user`. */
export const ASK_USER_PARAMETERS: JsonObject = {
  type: 'object',
  properties: {
    question: { type: 'string', minLength: 1, maxLength: 2000 },
    options: {
      ...options,
      description: 'Answers to choose from. Without options and fields the user writes a text.',
    },
    multiple: { type: 'boolean', description: 'Whether several options may be chosen.' },
    fields: {
      type: 'array',
      items: field,
      minItems: 1,
      maxItems: 10,
      description: 'A small form, instead of options.',
    },
  },
  required: ['question'],
  additionalProperties: false,
};
