import { Prisma } from '../generated/prisma/client.js';

/** The way to a run's question, in three lists. Each entry begins with the distance of its node from the question. */
export interface HistoryRows {
  /** What people wrote. */
  texts: [distance: number, text: string][] | null;
  /** The model's answers. */
  turns: [distance: number, index: number, raw: string][] | null;
  /** Results of calls. `id` is the model's own id for the call. */
  results: [distance: number, turn: number, position: number, id: string, text: string | null][] | null;
}

/**
 * The way from the root of the thread's tree to the user message of the run `r`. Written so that each step is a
 * look-up by key whatever the planner believes of the tables' sizes: a join that reads a table as a whole would read
 * all tenants. (LIMIT 1 and OFFSET 0 keep the planner from turning the steps into such joins.) Three flat lists:
 * to aggregate each node by itself takes the server twice as long.
 */
export const historyOfRun: Prisma.Sql = Prisma.sql`
  (WITH RECURSIVE path AS (
     SELECT m.parent_id, m.text, m.run_id, 0 AS distance
       FROM message m WHERE m.tenant_id = r.tenant_id AND m.id = r.user_message_id
     UNION ALL
     SELECT parent.parent_id, parent.text, parent.run_id, path.distance + 1
       FROM path CROSS JOIN LATERAL (
         SELECT m.parent_id, m.text, m.run_id FROM message m
          WHERE m.tenant_id = r.tenant_id AND m.id = path.parent_id LIMIT 1) parent
   )
   SELECT json_build_object(
     'texts', (SELECT json_agg(json_build_array(path.distance, path.text)) FROM path WHERE path.text IS NOT NULL),
     'turns', (SELECT json_agg(json_build_array(path.distance, t.index, t.assistant_raw))
                 FROM path CROSS JOIN LATERAL (
                   SELECT t.index, t.assistant_raw FROM turn t
                    WHERE t.tenant_id = r.tenant_id AND t.run_id = path.run_id OFFSET 0) t
                WHERE path.run_id IS NOT NULL),
     'results', (SELECT json_agg(json_build_array(path.distance, c.turn_index, c.position, c.provider_call_id, c.result_text))
                   FROM path CROSS JOIN LATERAL (
                     SELECT c.turn_index, c.position, c.provider_call_id, c.result_text FROM tool_call c
                      WHERE c.tenant_id = r.tenant_id AND c.run_id = path.run_id OFFSET 0) c
                  WHERE path.run_id IS NOT NULL)))`;

/** Where a message stands on the way. */
interface Placed {
  distance: number;
  turn: number;
  /** An answer stands before its results. */
  position: number;
  message: string;
}

/**
 * The way as provider messages in JSON text, oldest first, keys in the order in which every request has them: a run
 * counts by its turns, each answer followed by its results. One that ended before its first turn leaves nothing.
 */
export function toHistory({ texts, turns, results }: HistoryRows): string[] {
  const placed: Placed[] = [
    ...(texts ?? []).map(([distance, content]) => ({
      distance,
      turn: 0,
      position: -1,
      message: JSON.stringify({ role: 'user', content }),
    })),
    ...(turns ?? []).map(([distance, turn, message]) => ({ distance, turn, position: -1, message })),
    ...(results ?? []).map(([distance, turn, position, id, text]) => ({
      distance,
      turn,
      position,
      // An ended run has a result for each of its calls. Should one be missing, an empty one keeps the thread
      // alive: a model refuses a call without a result for ever.
      message: JSON.stringify({ role: 'tool', tool_call_id: id, content: text ?? '' }),
    })),
  ];
  return placed
    .sort((a, b) => b.distance - a.distance || a.turn - b.turn || a.position - b.position)
    .map(({ message }) => message);
}
