type Subscribe = (listener: () => void) => () => void;

/** A page that is not painted has no frames; then this long is one. */
const HIDDEN_FRAME_MS = 100;

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

function onNextFrame(callback: () => void): () => void {
  const once = () => {
    cancel();
    callback();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FRAME_MS);
  function cancel(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  }
  return cancel;
}
