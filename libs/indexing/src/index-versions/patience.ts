import { type AppError, unavailable } from '@loci/contracts';

/** A request does not wait longer than this for an embedder: it answers by words instead. */
const PATIENCE_MS = 3_000;

/**
 * Does work with an embedder that a request waits for.
 * @param work gets what is aborted when the request does not wait for it any more
 * @throws AppError `embedder_unavailable` when it takes too long; what the work throws
 */
export async function withPatience<T>(
  embedder: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = embedderUnavailable(embedder, 'takes too long');
      patience.abort(error);
      reject(error);
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([work(patience.signal), tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}

export const embedderUnavailable = (embedder: string, why: string): AppError =>
  unavailable('embedder_unavailable', `Embedder '${embedder}' ${why}.`, { retryAfterSeconds: 2 });
