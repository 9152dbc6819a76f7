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

/**
 * The points in requests of a bounded size, in sequence; a point that is larger than that goes alone. No request has an id
 * twice: what may replace the stored point is decided for an id, and would let both in.
 */
export function* inRequests<Point extends VectorPoint>(points: readonly Point[]): Generator<Point[]> {
  let request: Point[] = [];
  let ids = new Set<string>();
  let numbers = 0;
  for (const point of points) {
    const size = point.dense.length + 2 * point.sparse.indices.length;
    const isFull = request.length === MAX_POINTS || numbers + size > MAX_NUMBERS || ids.has(point.id);
    if (isFull && request.length > 0) {
      yield request;
      request = [];
      ids = new Set();
      numbers = 0;
    }
    request.push(point);
    ids.add(point.id);
    numbers += size;
  }
  if (request.length > 0) yield request;
}
