import { MAX_AUDITED_RESOURCE_BYTES, MAX_AUDITED_RESOURCES } from '@loci/contracts';
import { firstWithin } from '@loci/platform';
import { isJsonObject } from '@loci/platform/schema';

/** What an id looks like. Anything else that stands where an id should be may be text that the audit must not have. */
const ID = /^[\p{L}\p{N}_:./-]{1,255}$/u;

/** The tenant is noted by itself. */
const TENANT_FIELDS = new Set(['org_id', 'project_id']);
const ID_FIELD = /(?:^|_)(?:id|uid)s?$/;

/**
 * The ids that an object names: the texts in its fields `id`, `uid`, `…_id`, `…_ids` and `…_uids`, and the same in its list
 * `results`.
 */
export function namedIds(value: unknown): string[] {
  if (!isJsonObject(value)) return [];
  const own = Object.entries(value)
    .filter(([field]) => ID_FIELD.test(field) && !TENANT_FIELDS.has(field))
    .flatMap(([, ids]): unknown[] => [ids].flat());
  const { results } = value;
  const inResults = Array.isArray(results) ? results.slice(0, MAX_AUDITED_RESOURCES).flatMap(namedIds) : [];
  return [...own.filter(isId), ...inResults];
}

export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

/** The first of these ids, as many as a record has room for. */
export const recordableIds = (ids: readonly string[]): readonly string[] =>
  firstWithin(ids, {
    maxItems: MAX_AUDITED_RESOURCES,
    maxSize: MAX_AUDITED_RESOURCE_BYTES,
    sizeOf: (id) => Buffer.byteLength(id),
  });
