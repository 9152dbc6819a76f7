import { type Schemas } from '@qdrant/js-client-rest';
import { hasId, hasTenant } from '../filters/condition.js';
import { type VectorHit, type VectorHits, type VectorQuery } from '../vector-index.js';
import { DENSE, SPARSE } from './point-struct.js';

interface Leg {
  readonly name: keyof VectorHits;
  readonly request: Schemas['QueryRequest'];
}

/** The searches of a query, one per leg that it asks for. */
export function legsOf(tenant: string, { dense, sparse, filter, limit }: VectorQuery): Leg[] {
  const within = { filter: { must: [hasTenant(tenant), ...(filter?.filter ? [filter.filter] : [])] }, limit };
  const legs: Leg[] = [];
  if (dense) legs.push({ name: 'dense', request: { ...within, using: DENSE, query: Array.from(dense) } });
  if (sparse && sparse.indices.length > 0) {
    const query = { indices: [...sparse.indices], values: [...sparse.values] };
    legs.push({ name: 'sparse', request: { ...within, using: SPARSE, query } });
  }
  return legs;
}

/** The answers, in the order of the legs. */
export function hitsOf(legs: readonly Leg[], answers: readonly Schemas['QueryResponse'][]): VectorHits {
  const hits: Record<keyof VectorHits, VectorHit[]> = { dense: [], sparse: [] };
  for (const [index, { name }] of legs.entries()) {
    const answer = answers[index];
    hits[name] = answer ? toHits(answer) : [];
  }
  return hits;
}

export const toHits = ({ points }: Schemas['QueryResponse']): VectorHit[] =>
  points.map(({ id, score }) => ({ id: String(id), score }));

/** The search that compares one point with others: only ids and numbers leave the index. */
export const similarityTo = (
  tenant: string,
  id: string,
  others: readonly string[],
): Schemas['QueryRequest'] => ({
  query: id,
  using: DENSE,
  filter: { must: [hasTenant(tenant), hasId(others)] },
  limit: others.length,
});
