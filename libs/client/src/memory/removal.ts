import { type WriteOptions } from '../call-options.js';
import { LociError } from '../errors.js';
import { KINDS } from './given.js';
import { inParts } from './in-parts.js';
import { type Remembered } from './memories.js';
import { type Kind } from './memory-options.js';

/** Ids that one request deletes at most. */
const MAX_IDS = 1000;

/** What one request deletes. */
interface Part {
  readonly kind: Kind;
  readonly ids: string[];
}

/** The requests that delete memories, in the order in which they are sent. */
export function partsOf(memories: readonly Remembered[]): Part[] {
  return KINDS.flatMap((kind) => {
    const ids = memories.filter((memory) => memory.kind === kind).map(({ id }) => id);
    return inParts(ids, MAX_IDS).map((some) => ({ kind, ids: some }));
  });
}

/** Each request has a key of its own: the same key with another body is refused. */
export const ofPart = ({ idempotencyKey, ...options }: WriteOptions, index: number): WriteOptions => ({
  ...options,
  ...(idempotencyKey !== undefined && {
    idempotencyKey: index === 0 ? idempotencyKey : `${idempotencyKey}.${index}`,
  }),
});

export const isMissing = (error: unknown): error is LociError =>
  error instanceof LociError && error.code === 'memory_not_found';

/** One failure for those of several requests. */
export function allMissing(failures: readonly LociError[]): LociError {
  const [first] = failures;
  if (first && failures.length === 1) return first;
  const notFound = failures.flatMap((failure) => failure.notFound);
  return new LociError(
    404,
    'memory_not_found',
    'Some of these memories do not exist in the project; the others were deleted.',
    { notFound, requestId: first?.requestId },
  );
}
