const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes on to us a Ctrl-C that the terminal has already sent: one that follows this soon is the same one. */
const SAME_REQUEST_MS = 500;

const PARENT_POLL_MS = 500;

/** An exit code that says: ended by a signal (128 + SIGINT). */
const INTERRUPTED = 130;

/**
 * Turns signals, and the end of the npm that started us, into an orderly stop: the first one aborts what is returned, another one, half a second later or more,
 * ends this process at once, and its exit takes every child along.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        controller.abort();
      } else if (Date.now() - firstAt >= SAME_REQUEST_MS) {
        process.exit(INTERRUPTED);
      }
    });
  }
  whenNpmIsGone(() => controller.abort());
  return controller.signal;
}

/**
 * A SIGTERM to `npm start` ends npm and its shell and reaches no other process: without this, all that was started
 * would keep running.
 */
function whenNpmIsGone(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    then();
  }, PARENT_POLL_MS);
  watch.unref();
}
