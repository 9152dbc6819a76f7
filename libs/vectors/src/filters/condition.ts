import { PAYLOAD_KEYS } from './payload-keys.js';

/** The part of Qdrant's filters that is used here; arrays are not readonly because the client's are not. */
export interface QdrantFilter extends Record<string, unknown> {
  readonly must?: QdrantCondition[];
  readonly should?: QdrantCondition[];
  readonly must_not?: QdrantCondition[];
}

export interface Range<Bound> {
  readonly gt?: Bound;
  readonly gte?: Bound;
  readonly lt?: Bound;
  readonly lte?: Bound;
}

type QdrantCondition =
  | QdrantFilter
  | { readonly key: string; readonly match: { readonly value: string } }
  | { readonly key: string; readonly range: Range<string> | Range<number> }
  | { readonly has_id: string[] };

/** A condition on points; `true` holds for all, `false` for none. */
export type Condition = boolean | QdrantCondition;

export const hasToken = (token: string): QdrantCondition => ({
  key: PAYLOAD_KEYS.tokens,
  match: { value: token },
});

export const hasId = (ids: readonly string[]): QdrantCondition => ({ has_id: [...ids] });

export const createdWithin = (range: Range<string>): QdrantCondition => ({
  key: PAYLOAD_KEYS.createdAt,
  range,
});

export const hasTenant = (tenant: string): QdrantCondition => ({
  key: PAYLOAD_KEYS.tenant,
  match: { value: tenant },
});

/** Every one of them holds. */
export function allOf(conditions: readonly Condition[]): Condition {
  const open = conditions.filter((condition) => condition !== true);
  if (open.includes(false)) return false;
  const must = open.filter((condition) => typeof condition !== 'boolean');
  return must.length > 1 ? { must } : (must[0] ?? true);
}

/** At least one of them holds. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const open = conditions.filter((condition) => condition !== false);
  if (open.includes(true)) return true;
  const should = open.filter((condition) => typeof condition !== 'boolean');
  // an empty `should` would hold for every point
  return should.length > 1 ? { should } : (should[0] ?? false);
}

export const negationOf = (condition: Condition): Condition =>
  typeof condition === 'boolean' ? !condition : { must_not: [condition] };

/** The condition as a filter; undefined when it holds for every point. */
export function toQdrantFilter(condition: Condition): QdrantFilter | undefined {
  if (condition === true) return undefined;
  return { must: [condition === false ? { has_id: [] } : condition] };
}
