import { isJsonObject } from '@loci/platform/schema';
import { ProviderFailure } from '../calls/provider-failure.js';
import { MAX_DIMENSIONS } from '../settings/common-settings.js';
import { type EmbeddingReply } from './embedding-client.js';

/**
 * The vector of length 1 that points where the average of the given ones does; where they cancel each other out, where the
 * first does. @param vectors that `checkVectors` has let through
 */
export function unitAverage(vectors: readonly (readonly number[])[]): Float32Array {
  const [first = []] = vectors;
  const sum = Float64Array.from(first, (_, dimension) =>
    vectors.reduce((total, vector) => total + (vector[dimension] ?? NaN), 0),
  );
  const length = Math.hypot(...sum);
  return pointsSomewhere(length) ? scaled(sum, length) : scaled(first, Math.hypot(...first));
}

const scaled = (vector: ArrayLike<number>, length: number): Float32Array =>
  Float32Array.from(vector, (value) => value / length);

/** Whether there is a vector of length 1 with the direction of one of this length. */
const pointsSomewhere = (length: number): boolean => Number.isFinite(length) && length > 0;

/** @throws ProviderFailure unless there is one list of numbers per text that points somewhere and that an index takes */
export function checkVectors(found: unknown, expected: number): number[][] {
  if (!Array.isArray(found) || found.length !== expected) throw notVectors();
  return found.map((vector: unknown) => {
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every(isNumber)) throw notVectors();
    if (vector.length > MAX_DIMENSIONS) throw tooManyDimensions(vector.length);
    if (!pointsSomewhere(Math.hypot(...vector))) throw notVectors();
    return vector;
  });
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The vectors in a reply that should be a list of them; what is none is left to {@link checkVectors}. */
export const vectorsIn = (found: unknown): number[][] => (Array.isArray(found) ? found.map(numbersIn) : []);

/** What `{data: [{index, embedding}], usage: {total_tokens}}` says, the form of OpenAI, Jina and Voyage. */
export function listedReply(
  body: unknown,
  tokensKey: 'total_tokens' | 'prompt_tokens' = 'total_tokens',
): EmbeddingReply {
  const { data, usage } = isJsonObject(body) ? body : {};
  const { [tokensKey]: tokens } = isJsonObject(usage) ? usage : {};
  return { vectors: indexedVectorsIn(data), inputTokens: numberIn(tokens) ?? 0 };
}

/** As {@link vectorsIn}, for lists of `{index, embedding}`. */
const indexedVectorsIn = (found: unknown): number[][] =>
  Array.isArray(found)
    ? found
        .filter(isJsonObject)
        .sort((a, b) => (numberIn(a['index']) ?? 0) - (numberIn(b['index']) ?? 0))
        .map(({ embedding }) => numbersIn(embedding))
    : [];

/** All or none: a vector without those of its values that are no numbers would be one of fewer dimensions. */
const numbersIn = (vector: unknown): number[] =>
  Array.isArray(vector) && vector.every(isNumber) ? vector : [];

export const numberIn = (found: unknown): number | undefined => (isNumber(found) ? found : undefined);

const notVectors = (): ProviderFailure =>
  new ProviderFailure(
    'broken',
    'answered with something that is not one vector per text; check model and address',
  );

const tooManyDimensions = (found: number): ProviderFailure =>
  new ProviderFailure(
    'misconfigured',
    `gives vectors of ${found} dimensions, and no index takes more than ${MAX_DIMENSIONS}; choose another model`,
  );
