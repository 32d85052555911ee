import { createTransport, type TransportOptions } from '../src/http/transport.js';
import type { StreamTools } from '../src/stream/stream-tools.js';
import type { Timing } from '../src/time/timing.js';

export type TestTools = StreamTools & { wakeUp(): void; wakeListeners(): number };

/** Real connections, given time, and a browser that wakes when the test says so. */
export function createTestTools(options: TransportOptions, timing: Timing): TestTools {
  const listeners = new Set<() => void>();
  return {
    transport: createTransport(options),
    timing,
    random: () => 0.5,
    isVisible: () => true,
    wake: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wakeUp: () => {
      for (const listener of [...listeners]) listener();
    },
    wakeListeners: () => listeners.size,
  };
}
