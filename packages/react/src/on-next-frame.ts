/** A page that is not painted has no frames; then this long is one. */
const HIDDEN_FRAME_MS = 100;

/** Calls back with the next frame. The function that is returned calls it off. */
export function onNextFrame(callback: () => void): () => void {
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
