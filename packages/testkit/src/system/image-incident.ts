import type { JsonObject } from '@plinth/protocol';
import type { ApiClient } from './api-client.js';
import type { JobService } from './job-service.js';
import { photo } from './photo.js';
import { startWith, uploadFile } from './with-attachments.js';

/**
 * A conversation that has broken a production system: about 70,000 tokens, which is half of the window, in a body of 77 MB,
 * where the gateway takes 30. Five pictures of 5 to 10 MB, one of them shown three times, and a large JSON result a turn.
 */
const PICTURE_BYTES = [5_200_000, 6_400_000, 7_600_000, 8_800_000, 9_900_000];
/** Which picture goes with which message. */
const SHOWN = [0, 1, 2, 3, 4, 4, 4];
const ORDERS_A_TURN = 470;

export const INCIDENT_TURNS = SHOWN.length;

export const incidentPicture = (index: number): Buffer => photo(PICTURE_BYTES[index] ?? 0, index);
const questionOf = (turn: number) => `Look at picture ${turn + 1} and at the orders of day ${turn + 1}.`;

/** About 35 kB of JSON. */
export const incidentOrders = (turn: number): JsonObject => ({
  day: turn + 1,
  orders: Array.from({ length: ORDERS_A_TURN }, (_, index) => ({
    id: `day-${turn + 1}-${String(index).padStart(6, '0')}`,
    customer: `customer ${(index * 7919) % 10_007}`,
    note: 'left at the door',
  })),
});

const ANSWER = 'I have looked at both.';

/** What the model says in each turn: it looks the orders up, and answers. */
export const INCIDENT_SCRIPT = [
  { toolCalls: [{ name: 'orders', arguments: { subject: 'today' } }] },
  { text: ANSWER },
];

/** The body that a client makes which sends all that there is, the bytes of each picture with each mention. */
export function naiveIncidentBody(model: string, turns = INCIDENT_TURNS): string {
  const messages = Array.from({ length: turns }, (_, turn) => {
    const base64 = incidentPicture(SHOWN[turn] ?? 0).toString('base64');
    const id = `call_${turn}`;
    const call = { id, type: 'function', function: { name: 'orders', arguments: '{"subject":"today"}' } };
    return [
      {
        role: 'user',
        content: [
          { type: 'text', text: questionOf(turn) },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: JSON.stringify(incidentOrders(turn)) },
      { role: 'assistant', content: ANSWER },
    ];
  });
  const question = { role: 'user', content: 'Which of the pictures goes with which day?' };
  return JSON.stringify({ model, messages: [...messages.flat(), question] });
}

/** Lets the orders of each turn come back at once. */
export function answerWithOrders(jobs: JobService): void {
  let turn = 0;
  jobs.react = async (dispatch) => {
    await jobs.finish(dispatch, { status: 'succeeded', result: incidentOrders(turn % INCIDENT_TURNS) });
    turn += 1;
    return { status: 202, body: { accepted: true } };
  };
}

/**
 * Has the conversation, turn by turn.
 *
 * @param between what is done after each turn
 * @returns the thread, and how each turn has ended
 */
export async function playIncident(
  who: ApiClient,
  turns = INCIDENT_TURNS,
  between: () => Promise<void> = async () => {},
): Promise<{ threadId: string; statuses: string[] }> {
  let threadId: string | undefined;
  const statuses: string[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const index = SHOWN[turn] ?? 0;
    const { id: uploadId } = await uploadFile(who, incidentPicture(index), `picture-${index + 1}.png`);
    const run = await startWith(who, questionOf(turn), [{ uploadId }], threadId);
    threadId = run.threadId;
    statuses.push((await who.ended(run.messageId, 120_000)).status);
    await between();
  }
  return { threadId: threadId ?? '', statuses };
}
