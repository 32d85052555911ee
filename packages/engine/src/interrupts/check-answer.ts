import { type Answer, PlinthError, type ToolDefinition } from '@plinth/protocol';
import type { Interrupt } from '../runs/run.js';
import { argumentsDigestOf } from '../tools/approvals.js';
import { describeFields, validateAgainst } from '../tools/json-schema.js';

const ALLOWED: Record<Interrupt['kind'], readonly Answer['type'][]> = {
  confirmation: ['approve', 'decline'],
  component: ['submit', 'decline'],
  callback: [],
  question: ['resolve'],
  frontend: ['result', 'failure', 'decline'],
};

/**
 * Refuses an answer that the interrupt cannot take: a wrong type, a submission or edited arguments that do not
 * fit the schema. Nothing is written then, and the interrupt stays open.
 *
 * @throws PlinthError answer_invalid, naming each field; arguments_digest_mismatch when it approves other arguments
 */
export function checkAnswer(interrupt: Interrupt, tool: ToolDefinition, answer: Answer): void {
  if (!ALLOWED[interrupt.kind].includes(answer.type)) {
    const allowed = ALLOWED[interrupt.kind].join(' or ') || 'nothing: only its callback answers it';
    throw new PlinthError('answer_invalid', `A ${interrupt.kind} takes ${allowed}, not ${answer.type}.`, {}, [
      { path: 'answer.type', message: `must be ${allowed}` },
    ]);
  }
  if (answer.type === 'approve') checkApproval(interrupt, answer);
  const checked =
    answer.type === 'submit' && interrupt.payload.kind === 'component'
      ? { at: 'answer.value', schema: interrupt.payload.schema, value: answer.value }
      : answer.type === 'approve' && answer.arguments !== undefined
        ? { at: 'answer.arguments', schema: tool.parameters, value: answer.arguments }
        : null;
  if (checked === null) return;
  const fields = validateAgainst(checked.schema, checked.value);
  if (fields.length === 0) return;
  const named = fields.map(({ path, message }) => ({
    path: path === '' ? checked.at : `${checked.at}.${path}`,
    message,
  }));
  throw new PlinthError('answer_invalid', `Correct and send again: ${describeFields(fields)}.`, {}, named);
}

/** An approval is of what was shown, and asks for no more than was offered. */
function checkApproval({ payload }: Interrupt, answer: Extract<Answer, { type: 'approve' }>): void {
  if (payload.kind !== 'confirmation') return;
  const { remember = 'never', argumentsDigest = argumentsDigestOf(payload.arguments) } = payload;
  if (answer.argumentsDigest !== undefined && answer.argumentsDigest !== argumentsDigest) {
    throw new PlinthError(
      'arguments_digest_mismatch',
      'This approves other arguments than the call has. Show the arguments again and ask the person again. Nothing was changed.',
      { argumentsDigest },
    );
  }
  if (answer.remember === true && remember === 'never') {
    const message = 'this tool asks every time; leave it out';
    throw new PlinthError('answer_invalid', `Correct and send again: remember: ${message}.`, {}, [
      { path: 'answer.remember', message },
    ]);
  }
}
