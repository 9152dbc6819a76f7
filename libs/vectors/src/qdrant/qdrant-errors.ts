import { type AppError, internal, unavailable } from '@loci/contracts';

/** Refusals that say that Qdrant can't serve us now, not that our request was wrong. */
const NOT_OUR_FAULT: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);

/**
 * What a failed call means for the caller. The client's error classes are not exported and differ between its
 * builds, so they are told apart by their shape.
 */
export function toVectorIndexError(error: unknown): AppError {
  const { status, story } = refusalOf(error);
  // a proxy in between may answer 404 as well
  if (status === 404 && story.includes('Collection')) {
    return unavailable(
      'vector_index_missing',
      'The search index is being rebuilt; try again in a moment.',
      {},
      error,
    );
  }
  if (status !== undefined && status < 500 && !NOT_OUR_FAULT.has(status)) {
    return internal(
      'internal_error',
      'Something went wrong on our side; try again later.',
      {},
      new Error(story, { cause: error }),
    );
  }
  return unavailable(
    'vector_index_unavailable',
    'The search index does not answer; try again in a moment.',
    { retryAfterSeconds: 2 },
    error,
  );
}

/** The status and the explanation of an answer from Qdrant; no status when there was no answer. */
function refusalOf(error: unknown): { status?: number; story: string } {
  if (typeof error !== 'object' || error === null || !('status' in error)) return { story: String(error) };
  const story = 'data' in error ? JSON.stringify(error.data) : '';
  return typeof error.status === 'number' ? { status: error.status, story } : { story };
}

/** Whether the point that a query names as its example is not there. */
export function isPointMissing(error: unknown): boolean {
  const { status, story } = refusalOf(error);
  return status === 404 && story.includes('No point with id');
}

export const isConflict = (error: unknown): boolean => refusalOf(error).status === 409;

/** By the codes of Node's connections, and of its `fetch`. */
const CLOSED = /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)\b/;

/** Whether the connection was closed before there was an answer; the error or one of its causes says so. */
export function isClosedUnanswered(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error ? String(error.code) : '';
  const text = 'message' in error ? String(error.message) : '';
  return CLOSED.test(`${code} ${text}`) || ('cause' in error && isClosedUnanswered(error.cause));
}
