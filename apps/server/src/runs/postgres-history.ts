import {
  type Attachment,
  type ContextCut,
  type Conversation,
  type ImageRef,
  imageMessages,
  NO_CUT,
  resultMessage,
  userMessage,
} from '@plinth/engine';
import type { Visibility } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';

/** The way to a run's question, in three lists, and what is left out of it. Each entry begins with the distance of its node from the question. */
export interface HistoryRows {
  /** What people wrote. */
  texts: [distance: number, text: string, attachments: string | null, visibility: Visibility][] | null;
  /** The model's answers. */
  turns: [distance: number, index: number, raw: string, visibility: Visibility][] | null;
  /** Results of calls. `id` is the model's own id for the call. */
  results:
    | [
        distance: number,
        turn: number,
        position: number,
        id: string,
        text: string | null,
        images: string | null,
        visibility: Visibility,
      ][]
    | null;
  /** The newest cut on the way. */
  cut: string | null;
}

/**
 * The way from the root of the thread's tree to the user message of the run `r`. Written so that each step is a
 * look-up by key whatever the planner believes of the tables' sizes: a join that reads a table as a whole would read
 * all tenants. (LIMIT 1 and OFFSET 0 keep the planner from turning the steps into such joins.) Three flat lists:
 * to aggregate each node by itself takes the server twice as long.
 */
export const historyOfRun: Prisma.Sql = Prisma.sql`
  (WITH RECURSIVE path AS (
     SELECT m.parent_id, m.text, m.attachments, m.run_id, m.visibility, 0 AS distance
       FROM message m WHERE m.tenant_id = r.tenant_id AND m.id = r.user_message_id
     UNION ALL
     SELECT parent.parent_id, parent.text, parent.attachments, parent.run_id, parent.visibility, path.distance + 1
       FROM path CROSS JOIN LATERAL (
         SELECT m.parent_id, m.text, m.attachments, m.run_id, m.visibility FROM message m
          WHERE m.tenant_id = r.tenant_id AND m.id = path.parent_id LIMIT 1) parent
   )
   SELECT json_build_object(
     'texts', (SELECT json_agg(json_build_array(path.distance, path.text, path.attachments, path.visibility))
                 FROM path WHERE path.text IS NOT NULL),
     'turns', (SELECT json_agg(json_build_array(path.distance, t.index, t.assistant_raw, path.visibility))
                 FROM path CROSS JOIN LATERAL (
                   SELECT t.index, t.assistant_raw FROM turn t
                    WHERE t.tenant_id = r.tenant_id AND t.run_id = path.run_id OFFSET 0) t
                WHERE path.run_id IS NOT NULL),
     'results', (SELECT json_agg(json_build_array(path.distance, c.turn_index, c.position, c.provider_call_id, c.result_text, c.images, c.visibility))
                   FROM path CROSS JOIN LATERAL (
                     SELECT c.turn_index, c.position, c.provider_call_id, c.result_text, c.images, c.visibility FROM tool_call c
                      WHERE c.tenant_id = r.tenant_id AND c.run_id = path.run_id OFFSET 0) c
                  WHERE path.run_id IS NOT NULL),
     'cut', (SELECT cut.context_cut
               FROM path CROSS JOIN LATERAL (
                 SELECT earlier.context_cut FROM run earlier
                  WHERE earlier.tenant_id = r.tenant_id AND earlier.id = path.run_id OFFSET 0) cut
              WHERE path.run_id IS NOT NULL AND cut.context_cut IS NOT NULL ORDER BY path.distance LIMIT 1)))`;

/** Where a message stands on the way. */
interface Placed {
  distance: number;
  turn: number;
  /** An answer stands before its results. */
  position: number;
  message: string;
  visibility: Visibility;
}

/** The pictures of a turn stand behind all of its results. */
const BEHIND_RESULTS = Number.MAX_SAFE_INTEGER;

/**
 * The way as provider messages in JSON text, oldest first, keys in the order in which every request has them: a run
 * counts by its turns, each answer followed by its results. One that ended before its first turn leaves nothing.
 */
export function toConversation(rows: HistoryRows): Conversation {
  return {
    history: inOrder(rows).map(({ message }) => message),
    inheritedCut: rows.cut === null ? NO_CUT : (JSON.parse(rows.cut) as ContextCut),
  };
}

/** Of each message of the history, in its order. */
export const visibilityOfHistory = (rows: HistoryRows): Visibility[] =>
  inOrder(rows).map(({ visibility }) => visibility);

function inOrder({ texts, turns, results }: HistoryRows): Placed[] {
  const placed: Placed[] = [
    ...(texts ?? []).map(([distance, text, attachments, visibility]) => ({
      distance,
      turn: 0,
      position: -1,
      message: userMessage(text, attachments === null ? [] : (JSON.parse(attachments) as Attachment[])),
      visibility,
    })),
    ...(turns ?? []).map(([distance, turn, message, visibility]) => ({
      distance,
      turn,
      position: -1,
      message,
      visibility,
    })),
    ...(results ?? []).map(([distance, turn, position, id, text, , visibility]) => ({
      distance,
      turn,
      position,
      message: resultMessage(id, text),
      visibility,
    })),
    ...shownImages(results ?? []),
  ];
  return placed.sort((a, b) => b.distance - a.distance || a.turn - b.turn || a.position - b.position);
}

function shownImages(results: NonNullable<HistoryRows['results']>): Placed[] {
  const ofTurns = new Map<string, { distance: number; turn: number; images: ImageRef[][] }>();
  for (const [distance, turn, , , , images] of [...results].sort((a, b) => a[2] - b[2])) {
    if (images === null) continue;
    const ofTurn = ofTurns.get(`${distance}/${turn}`) ?? { distance, turn, images: [] };
    ofTurn.images.push(JSON.parse(images) as ImageRef[]);
    ofTurns.set(`${distance}/${turn}`, ofTurn);
  }
  return [...ofTurns.values()].flatMap(({ distance, turn, images }) =>
    imageMessages(images).map(
      (message): Placed => ({ distance, turn, position: BEHIND_RESULTS, message, visibility: 'shadow' }),
    ),
  );
}
