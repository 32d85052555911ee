import { hostname } from 'node:os';
import { PromptFollower } from '../../tools/comfyui/prompt-follower.js';
import { JobWatcher } from '../../tools/jobs/job-watcher.js';
import { PollFollower } from '../../tools/jobs/poll/poll-follower.js';
import type { Platform } from './build-platform.js';

/** Milliseconds between two looks for jobs that nobody looks after. */
const TICK_MS = 500;

/** Starts what looks after jobs at other services. Part of the worker role. */
export function startJobWatcher({
  environment,
  jobs,
  door,
  clock,
  ids,
  comfyuiHosts,
  outbound,
  artifacts,
}: Platform): JobWatcher {
  const watcher = new JobWatcher(
    jobs,
    door,
    {
      comfyui: new PromptFollower(comfyuiHosts, artifacts, clock),
      poll: new PollFollower(artifacts, outbound),
    },
    clock,
    {
      owner: `${hostname()}:${process.pid}:${ids.next('run')}`,
      leaseMs: environment.PLINTH_LEASE_MS,
      tickMs: TICK_MS,
    },
  );
  watcher.start();
  return watcher;
}
