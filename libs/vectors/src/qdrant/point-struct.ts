import { attributeTokens } from '../filters/attribute-token.js';
import { PAYLOAD_KEYS } from '../filters/payload-keys.js';
import { type VectorPoint } from '../vector-index.js';

/** The names of a point's vectors. */
export const DENSE = 'dense';
export const SPARSE = 'bm25';

/** A point as Qdrant takes it. */
export interface PointStruct {
  readonly id: string;
  readonly vector: Record<string, number[] | { indices: number[]; values: number[] }>;
  readonly payload: Record<string, unknown>;
}

export const toPointStruct = (
  tenant: string,
  { id, dense, sparse, version, payload }: VectorPoint,
): PointStruct => ({
  id,
  vector: {
    [DENSE]: Array.from(dense),
    [SPARSE]: { indices: [...sparse.indices], values: [...sparse.values] },
  },
  payload: {
    [PAYLOAD_KEYS.tenant]: tenant,
    [PAYLOAD_KEYS.version]: version,
    [PAYLOAD_KEYS.createdAt]: payload.createdAt,
    [PAYLOAD_KEYS.tokens]: attributeTokens(payload),
  },
});

/** What goes into one request: few enough points to stay quick, little enough to stay far below 32 MB. */
const MAX_POINTS = 256;
const MAX_NUMBERS = 250_000;

/** The points in requests of a bounded size, in sequence; a point that is larger than that goes alone. */
export function* inRequests(points: readonly VectorPoint[]): Generator<VectorPoint[]> {
  let request: VectorPoint[] = [];
  let numbers = 0;
  for (const point of points) {
    const size = point.dense.length + 2 * point.sparse.indices.length;
    if (request.length === MAX_POINTS || (request.length > 0 && numbers + size > MAX_NUMBERS)) {
      yield request;
      request = [];
      numbers = 0;
    }
    request.push(point);
    numbers += size;
  }
  if (request.length > 0) yield request;
}
