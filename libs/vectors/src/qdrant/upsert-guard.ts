import { hasTenant, type QdrantFilter } from '../filters/condition.js';
import { type VectorPoint } from '../vector-index.js';
import { PAYLOAD_KEYS } from '../filters/payload-keys.js';

/**
 * Which stored points the given ones may replace: those of the same tenant whose version is not higher. Qdrant
 * evaluates it with the write itself (conditional updates, since 1.16); ids that are not there yet are added.
 */
export function upsertGuard(tenant: string, points: readonly VectorPoint[]): QdrantFilter {
  const idsByVersion = new Map<number, string[]>();
  for (const { id, version } of points) {
    const ids = idsByVersion.get(version);
    if (ids) ids.push(id);
    else idsByVersion.set(version, [id]);
  }
  const notNewer = [...idsByVersion].map(([version, ids]) => ({
    must: [{ has_id: ids }, { key: PAYLOAD_KEYS.version, range: { lte: version } }],
  }));
  return { must: [hasTenant(tenant), { should: notNewer }] };
}
