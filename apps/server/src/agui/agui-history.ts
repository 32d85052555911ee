import type { Message } from '@ag-ui/core';
import type { Viewer } from '@plinth/engine';
import type { MessageId, MessageView, TenantId, ThreadId, ThreadMessage } from '@plinth/protocol';
import type { MessageViews } from '../runs/message-views.js';
import type { PathNode } from '../threads/message-path.js';
import type { ThreadReader } from '../threads/thread-reader.js';
import { type ClientNames, messagesOfThread } from './agui-messages.js';

/** Nodes of a thread that are read at once. */
const PAGE = 200;

/** Reads a thread for a snapshot, from its root to its head. */
export class AguiHistory {
  constructor(
    private readonly threads: Pick<ThreadReader, 'path'>,
    private readonly views: Pick<MessageViews, 'many'>,
    private readonly urlOf: (tenant: TenantId, artifactId: string) => string,
  ) {}

  /**
   * The messages of the thread, and the view of one assistant message as it is among them.
   *
   * @throws PlinthError not_found
   */
  async read(
    tenant: TenantId,
    viewer: Viewer,
    threadId: ThreadId,
    names: ClientNames,
    messageId?: MessageId,
  ): Promise<{ messages: Message[]; view: MessageView | undefined }> {
    const nodes = await this.nodes(tenant, viewer, threadId);
    const ids = nodes.filter(({ role }) => role === 'assistant').map(({ id }) => id);
    const views = await this.views.many(tenant, viewer, ids);
    const messages = nodes.flatMap((node): ThreadMessage[] => {
      if (node.role === 'user') return [node];
      const view = views.get(node.id);
      return view ? [{ ...node, view }] : [];
    });
    const view = messageId === undefined ? undefined : views.get(messageId);
    return { messages: messagesOfThread(messages, names, (id) => this.urlOf(tenant, id)), view };
  }

  private async nodes(tenant: TenantId, viewer: Viewer, threadId: ThreadId): Promise<PathNode[]> {
    const pages: PathNode[][] = [];
    let cursor: string | undefined;
    do {
      const page = await this.threads.path(tenant, viewer, threadId, { cursor, limit: PAGE });
      pages.unshift(page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return pages.flat();
  }
}
