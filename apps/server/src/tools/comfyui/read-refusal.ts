import type { ComfyUiExecutorSpec, RunError } from '@plinth/protocol';
import type { PromptRefused } from './host-answers.js';

const MAX_LENGTH = 2000;

/**
 * What a host says of a workflow that it did not take, for the model: by the names of the arguments where these are
 * to blame, so that it can call again; else by node, which only the tool's owner can mend.
 */
export function readPromptRefusal(
  spec: ComfyUiExecutorSpec,
  { error, node_errors }: PromptRefused,
): RunError {
  let isAboutArguments = true;
  const lines = Object.entries(node_errors).flatMap(([node, { class_type, errors }]) =>
    errors.map(({ message, details, extra_info }) => {
      const input = extra_info.input_name;
      const parameter = spec.inputs.find((one) => one.node === node && one.input === input)?.parameter;
      const what = details === '' || details === input ? message : `${message} (${details})`;
      if (parameter !== undefined) return `${parameter}: ${what}`;
      isAboutArguments = false;
      return `node ${node} (${class_type}): ${what}`;
    }),
  );
  if (lines.length > 0 && isAboutArguments)
    return {
      code: 'invalid_arguments',
      message: cut(`The host does not take the arguments: ${lines.join('; ')}.`),
    };
  const whole = typeof error === 'string' ? error : [error.message, error.details].filter(Boolean).join(': ');
  const text = lines.length > 0 ? lines.join('; ') : whole;
  return {
    code: 'workflow_refused',
    message: cut(`The host does not take the workflow of this tool: ${text}.`),
  };
}

const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
