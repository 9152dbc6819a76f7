import { hasId, hasTenant, type QdrantFilter } from '../filters/condition.js';
import { PAYLOAD_KEYS } from '../filters/payload-keys.js';
import { type VectorPoint } from '../vector-index.js';

/** A point, and whose it is. */
export interface TenantPoint extends Pick<VectorPoint, 'id' | 'version'> {
  readonly tenant: string;
}

/**
 * Which stored points the given ones may replace: those of the same tenant whose version is not higher. Qdrant
 * evaluates it with the write itself (conditional updates, since 1.16); ids that are not there yet are added.
 */
export function upsertGuard(points: readonly TenantPoint[]): QdrantFilter {
  const idsByVersion = new Map<string, Map<number, string[]>>();
  for (const { tenant, id, version } of points) {
    const ofTenant = idsByVersion.get(tenant) ?? new Map<number, string[]>();
    idsByVersion.set(tenant, ofTenant.set(version, [...(ofTenant.get(version) ?? []), id]));
  }
  const ofTenants = [...idsByVersion].map(([tenant, versions]) => {
    const notNewer = [...versions].map(([version, ids]) => ({
      must: [hasId(ids), { key: PAYLOAD_KEYS.version, range: { lte: version } }],
    }));
    return { must: [hasTenant(tenant), { should: notNewer }] };
  });
  return { should: ofTenants };
}
