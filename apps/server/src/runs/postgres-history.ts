import { Prisma } from '../generated/prisma/client.js';

/** One node of the way: a person's text, or what the turns of a run exchanged with the model. */
export interface HistoryNode {
  text: string | null;
  /** The model's answers, in order. */
  turns: { index: number; raw: string }[] | null;
  /** Results by turn, in call order. `id` is the model's own id for the call. */
  results: { turn: number; id: string; text: string | null }[] | null;
}

/**
 * The way from the root of the thread's tree to the user message of the run `r`, oldest first. Written so that
 * each step is a look-up by key whatever the planner believes of the tables' sizes: a join that reads a
 * table as a whole would read all tenants. (LIMIT 1 keeps the planner from turning the step into such a join.)
 */
export const historyOfRun: Prisma.Sql = Prisma.sql`
  (WITH RECURSIVE path AS (
     SELECT m.parent_id, m.text, m.run_id, 0 AS depth
       FROM message m WHERE m.tenant_id = r.tenant_id AND m.id = r.user_message_id
     UNION ALL
     SELECT parent.parent_id, parent.text, parent.run_id, path.depth + 1
       FROM path CROSS JOIN LATERAL (
         SELECT m.parent_id, m.text, m.run_id FROM message m
          WHERE m.tenant_id = r.tenant_id AND m.id = path.parent_id LIMIT 1) parent
   )
   SELECT json_agg(json_build_object(
            'text', path.text,
            'turns', (SELECT json_agg(json_build_object('index', t.index, 'raw', t.assistant_raw) ORDER BY t.index)
                        FROM turn t WHERE t.tenant_id = r.tenant_id AND t.run_id = path.run_id),
            'results', (SELECT json_agg(json_build_object('turn', c.turn_index, 'id', c.provider_call_id, 'text', c.result_text)
                                        ORDER BY c.turn_index, c.position)
                          FROM tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = path.run_id)
          ) ORDER BY path.depth DESC)
     FROM path)`;

/**
 * The node as provider messages in JSON text, keys in the order in which every request has them: a run counts
 * by its turns, each answer followed by its results. One that ended before its first turn leaves nothing.
 */
function toProviderMessages({ text, turns, results }: HistoryNode): string[] {
  if (text !== null) return [JSON.stringify({ role: 'user', content: text })];
  return (turns ?? []).flatMap(({ index, raw }) => [
    raw,
    // An ended run has a result for each of its calls. Should one be missing, an empty one keeps the thread
    // alive: a model refuses a call without a result for ever.
    ...(results ?? [])
      .filter((result) => result.turn === index)
      .map((result) => JSON.stringify({ role: 'tool', tool_call_id: result.id, content: result.text ?? '' })),
  ]);
}

/** What `historyOfRun` gave, as provider messages. */
export const toHistory = (nodes: readonly HistoryNode[]): string[] => nodes.flatMap(toProviderMessages);
