import { linkAbort } from '../time/linked-abort.js';
import type { Timing } from '../time/timing.js';
import { type Block, readBlocks, toBytes } from './event-blocks.js';
import { createRecentBlocks } from './recent-blocks.js';
import { createStreamBody } from './stream-body.js';
import type { TabChannel, TabMessage } from './tab-channel.js';

/** A tab that holds the stream answers within milliseconds, hidden or not. */
const PATIENCE_MS = 1_000;
/** What the tab before has told comes by another way than its lock: it may still be under way. */
const SETTLE_MS = 50;
/** One missed heartbeat of 15 s: a tab that needs the stream now had better see for itself. */
const DOUBTFUL_MS = 20_000;

export type SharedStreamParts = {
  /** The last event that the caller has. */
  cursor: string | null;
  /** One call of the API, behind a place. */
  open(cursor: string | null, signal: AbortSignal): Promise<Response>;
  channel: TabChannel;
  /** Calls `hold` when this tab is the one of all that holds the stream, until its promise settles. */
  queueForLock(hold: () => Promise<void>, signal: AbortSignal): void;
  /** This tab and call. */
  tab: string;
  signal: AbortSignal | undefined;
  timing: Timing;
};

/**
 * `waiting` for the lock or for the answer of the tab that has it; `following` that tab; `holding` the connection for all;
 * `closed`, which a call that goes its own way is as well.
 */
type Role = 'waiting' | 'following' | 'holding' | 'closed';

/** Opens a stream by way of whichever tab holds it. Settles and streams like the call of the API that it stands for. */
export function openShared(parts: SharedStreamParts): Promise<Response> {
  const { channel, tab, timing } = parts;
  const whole = linkAbort(parts.signal);
  const recent = createRecentBlocks(parts.cursor);
  let role: Role = 'waiting';
  let patience: ReturnType<typeof linkAbort> | null = null;
  let heardAt = timing.now();

  return new Promise((resolve, reject) => {
    const body = createStreamBody(close);

    /** From here on the caller has its response, and what goes wrong is a broken stream. */
    const begin = () => {
      if (!body.hasBegun()) resolve(body.begin());
    };

    function close(): void {
      if (role === 'closed') return;
      role = 'closed';
      stopAsking();
      channel.close();
      body.end();
      whole.abort();
      whole.release();
    }

    function stopAsking(): void {
      patience?.abort();
      patience = null;
    }

    function ask(): void {
      stopAsking();
      const asked = linkAbort();
      patience = asked;
      channel.post({ type: 'join', tab, cursor: recent.last() });
      void timing.wait(PATIENCE_MS, asked.signal).then(() => {
        if (!asked.signal.aborted) goAlone();
      });
    }

    /** A caller that has begun to read is sent back to the start: it calls again, behind what it has. */
    function goAlone(): void {
      const isFresh = !body.hasBegun();
      close();
      if (isFresh)
        parts.open(parts.cursor, parts.signal ?? new AbortController().signal).then(resolve, reject);
    }

    function take(blocks: Block[]): void {
      recent.add(blocks);
      body.add(toBytes(blocks));
    }

    async function hold(): Promise<void> {
      if (role === 'following') await timing.wait(SETTLE_MS, whole.signal);
      if (whole.signal.aborted) return;
      role = 'holding';
      stopAsking();
      heardAt = timing.now();
      channel.post({ type: 'taken' });
      try {
        const response = await parts.open(recent.last(), whole.signal);
        if (response.ok && response.body) await spread(response.body);
        // The next call of whoever reads already is refused in the same way, and tells why.
        else if (body.hasBegun()) void response.body?.cancel();
        else resolve(response);
      } catch (error) {
        body.fail(error);
        reject(error);
      }
      close();
    }

    async function spread(source: ReadableStream<Uint8Array>): Promise<void> {
      begin();
      for await (const blocks of readBlocks(source, whole.signal)) {
        heardAt = timing.now();
        channel.post({ type: 'blocks', blocks });
        take(blocks);
      }
    }

    function answer(message: Extract<TabMessage, { type: 'join' }>): void {
      if (role !== 'holding') return;
      const isSure = timing.now() - heardAt <= DOUBTFUL_MS;
      const blocks = isSure ? recent.after(message.cursor) : null;
      channel.post(
        blocks === null
          ? { type: 'refused', tab: message.tab }
          : { type: 'joined', tab: message.tab, blocks },
      );
    }

    channel.listen((message) => {
      switch (message.type) {
        case 'join':
          return answer(message);
        case 'taken':
          return role === 'holding' ? undefined : ask();
        case 'blocks':
          return role === 'following' && patience === null ? take(message.blocks) : undefined;
        case 'refused':
          return message.tab === tab && patience !== null ? goAlone() : undefined;
        case 'joined':
          if (message.tab !== tab || patience === null) return;
          stopAsking();
          role = 'following';
          begin();
          return take(message.blocks);
      }
    });
    const giveUp = () => {
      close();
      reject(new DOMException('The call was given up.', 'AbortError'));
    };
    if (parts.signal?.aborted) return giveUp();
    parts.signal?.addEventListener('abort', giveUp, { once: true });
    parts.queueForLock(hold, whole.signal);
    ask();
  });
}
