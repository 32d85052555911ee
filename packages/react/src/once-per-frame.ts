import { onNextFrame } from './on-next-frame.js';

type Subscribe = (listener: () => void) => () => void;

/**
 * A subscription whose listener hears of the first change at once and of those that follow within the same frame
 * together: text streams in faster than a screen shows it, and each call of the listener draws.
 */
export function oncePerFrame(subscribe: Subscribe): Subscribe {
  return (listener) => {
    let leaveFrame: (() => void) | null = null;
    let changed = false;

    function tell(): void {
      changed = false;
      leaveFrame = onNextFrame(() => {
        leaveFrame = null;
        if (changed) tell();
      });
      listener();
    }

    const leave = subscribe(() => {
      changed = true;
      if (leaveFrame === null) tell();
    });
    return () => {
      leave();
      leaveFrame?.();
    };
  };
}
