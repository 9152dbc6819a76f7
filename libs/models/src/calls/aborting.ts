/** The promise, or the signal's reason as soon as it is aborted; what the promise then becomes is ignored. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let wake = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    wake = resolve;
  });
  signal.addEventListener('abort', wake, { once: true });
  try {
    return await Promise.race([promise, aborted.then(() => never(signal))]);
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

function never(signal: AbortSignal): never {
  signal.throwIfAborted();
  throw new Error('The call was given up.');
}
