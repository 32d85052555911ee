import {
  ASK_USER_PARAMETERS,
  type AskUserComponent,
  type AskUserField,
  type AskUserProps,
  type JsonObject,
  type ToolExecutorSpec,
} from '@plinth/protocol';
import { describeFields, validateAgainst } from './json-schema.js';

/**
 * The builtin `ask_user`: a component tool whose form the call itself describes, and whose component every client has.
 */

const COMPONENT: AskUserComponent = 'plinth.ask_user';
const LONGEST_TEXT = { text: 1000, long_text: 10_000 };

interface GivenOption {
  value: string;
  label?: string;
  description?: string;
}
interface GivenField {
  name: string;
  label: string;
  type: AskUserField['type'];
  options?: GivenOption[];
  required?: boolean;
  min?: number;
  max?: number;
}
/** What fits `ASK_USER_PARAMETERS`. */
interface Given {
  question: string;
  options?: GivenOption[];
  multiple?: boolean;
  fields?: GivenField[];
}

export function asksUser(executor: ToolExecutorSpec): boolean {
  return executor.kind === 'builtin' && executor.name === 'ask_user';
}

const repeated = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) < index);

function fieldProblem({ name, type, options, min, max }: GivenField): string | null {
  const chooses = type === 'choice' || type === 'choices';
  if (chooses && options === undefined) return `the field "${name}" needs options`;
  if (!chooses && options !== undefined) return `the field "${name}" takes no options; its type is ${type}`;
  const twice = repeated((options ?? []).map(({ value }) => value));
  if (twice !== undefined) return `the field "${name}" has the option "${twice}" twice`;
  return min !== undefined && max !== undefined && min > max ? `the field "${name}" has min above max` : null;
}

/** Null when the call can be shown; else what the model should know to call again correctly. */
export function askUserProblem(given: JsonObject): string | null {
  const wrong = validateAgainst(ASK_USER_PARAMETERS, given);
  if (wrong.length > 0) return describeFields(wrong);
  const { options, multiple, fields = [] } = given as unknown as Given;
  if (options !== undefined && fields.length > 0) return 'give options or fields, not both';
  if (multiple !== undefined && options === undefined) return '"multiple" needs options';
  const twice =
    repeated(fields.map(({ name }) => name)) ?? repeated((options ?? []).map(({ value }) => value));
  if (twice !== undefined) return `"${twice}" is there twice`;
  return fields.map(fieldProblem).find((problem) => problem !== null) ?? null;
}

function toField({
  name,
  label,
  type,
  options = [],
  required = true,
  min,
  max,
}: Omit<GivenField, 'label'> & { label: string | null }): AskUserField {
  const choices = options.map((option) => ({
    value: option.value,
    label: option.label ?? option.value,
    description: option.description ?? null,
  }));
  return { name, label, type, options: choices, required, min: min ?? null, max: max ?? null };
}

function schemaOf({ type, options, required, min, max }: AskUserField): JsonObject {
  const values = options.map(({ value }) => value);
  switch (type) {
    case 'choice':
      return { enum: values };
    case 'choices':
      return { type: 'array', items: { enum: values }, uniqueItems: true, minItems: required ? 1 : 0 };
    case 'number':
      return {
        type: 'number',
        ...(min === null ? {} : { minimum: min }),
        ...(max === null ? {} : { maximum: max }),
      };
    case 'yes_no':
      return { type: 'boolean' };
    case 'text':
    case 'long_text':
      return { type: 'string', minLength: required ? 1 : 0, maxLength: LONGEST_TEXT[type] };
  }
}

/** What is shown for a call without a problem, and the JSON Schema of its answer. */
export function askUserForm(given: JsonObject): { component: string; props: JsonObject; schema: JsonObject } {
  const { question, options, multiple = false, fields } = given as unknown as Given;
  const single = { name: 'answer', label: null, required: true };
  const asked =
    fields?.map(toField) ??
    (options === undefined
      ? [toField({ ...single, type: 'long_text' })]
      : [toField({ ...single, type: multiple ? 'choices' : 'choice', options })]);
  const props: AskUserProps = { question, fields: asked };
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(asked.map((field) => [field.name, schemaOf(field)])),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  return { component: COMPONENT, props: props as unknown as JsonObject, schema };
}
