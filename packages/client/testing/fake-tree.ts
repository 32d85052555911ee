import type { ThreadMessage } from '@plinth/protocol';
import { createFakeLog, type FakeLog } from './fake-log.js';

export type Node = { message: ThreadMessage; runId: string };

/** A thread as the platform keeps it: all messages of the tree, and the head that the shown path ends at. */
export type FakeThread = {
  log: FakeLog;
  head(): string | null;
  setHead(messageId: string | null): void;
  find(messageId: string): Node | undefined;
  /** Adds a message behind `parentId` and puts the head on it. */
  add(runId: string, message: NewMessage): void;
  /** From the root to the head, with the siblings of each. */
  path(): Node[];
  /** The newest end of the branch that begins with a message. */
  tip(messageId: string): string;
  /** Another thread that shares the tree as it is now, up to a message. */
  fork(messageId: string): FakeThread;
};

type NewMessage = ThreadMessage extends infer M ? (M extends unknown ? Omit<M, 'siblings'> : never) : never;

export function createFakeThread(
  nodes = new Map<string, Node>(),
  startHead: string | null = null,
): FakeThread {
  let head = startHead;
  const siblingsOf = ({ message }: Node) =>
    [...nodes.values()]
      .filter((other) => other.message.parentId === message.parentId && other.message.role === message.role)
      .map((other) => other.message.id);

  function tip(messageId: string): string {
    const child = [...nodes.values()].findLast(({ message }) => message.parentId === messageId);
    return child ? tip(child.message.id) : messageId;
  }

  return {
    log: createFakeLog(),
    head: () => head,
    setHead(messageId) {
      head = messageId;
    },
    find: (messageId) => nodes.get(messageId),
    tip,
    add(runId, message) {
      nodes.set(message.id, { runId, message: { ...message, siblings: [] } as ThreadMessage });
      head = message.id;
    },
    path() {
      const path: Node[] = [];
      for (let id = head; id !== null; ) {
        const node = nodes.get(id);
        if (!node) break;
        path.unshift({ ...node, message: { ...node.message, siblings: siblingsOf(node) } });
        id = node.message.parentId;
      }
      return path;
    },
    fork: (messageId) => createFakeThread(new Map(nodes), messageId),
  };
}
