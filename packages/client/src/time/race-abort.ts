/** Settles like `work`, or rejects as soon as the signal aborts, even if the work does not listen to it. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal, toError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(toError());
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
