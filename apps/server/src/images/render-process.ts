/**
 * A process that makes pictures and nothing else. Pictures come from anybody, and decoders have had their holes: one that
 * crashes, runs for minutes or takes all memory takes this process with it, and not the worker with its runs.
 */
import { type Answer, TOO_MUCH_MEMORY } from './render-answer.js';
import { type RenderJob, renderPicture, tameSharp } from './render-picture.js';

/** Bytes of memory at which the process ends itself. The largest picture that is let in needs about half. */
const MAX_RESIDENT_BYTES = 1_536 * 1024 * 1024;
const LOOK_MS = 50;

tameSharp();
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES) process.exit(TOO_MUCH_MEMORY);
}, LOOK_MS);
const send = (answer: Answer) => process.send?.(answer);
process.on('message', (job: RenderJob) => {
  renderPicture(job).then(
    send,
    // A bug, not a bad picture: it ends the process, and the parent tells of it.
    (error: unknown) => {
      throw error;
    },
  );
});
// Also when the parent was killed.
process.on('disconnect', () => process.exit());
send({ kind: 'ready' });
