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

interface HasId {
  readonly has_id: string[];
}

interface HasValue {
  readonly key: string;
  readonly match: { readonly value: string };
}

interface HasAnyValue {
  readonly key: string;
  readonly match: { readonly any: string[] };
}

type QdrantCondition =
  | QdrantFilter
  | HasValue
  | HasAnyValue
  | { readonly key: string; readonly range: Range<string> | Range<number> }
  | HasId;

/** A condition on points; `true` holds for all, `false` for none. */
export type Condition = boolean | QdrantCondition;

export const hasToken = (token: string): QdrantCondition => ({
  key: PAYLOAD_KEYS.tokens,
  match: { value: token },
});

export const hasId = (ids: readonly string[]): HasId => ({ has_id: [...ids] });

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
  const should = looksUpTogether(open.filter((condition) => typeof condition !== 'boolean'));
  // an empty `should` would hold for every point
  return should.length > 1 ? { should } : (should[0] ?? false);
}

/** The tokens as one condition and the ids as one: Qdrant tests a point once for each condition, and looks any value up. */
function looksUpTogether(conditions: readonly QdrantCondition[]): QdrantCondition[] {
  const tokens = conditions.flatMap((one) => (isOfTokens(one) ? tokensOf(one) : []));
  const ids = conditions.flatMap((one) => (isOfIds(one) ? one.has_id : []));
  const others = conditions.filter((one) => !isOfTokens(one) && !isOfIds(one));
  return [
    ...(tokens.length > 0 ? [hasAnyToken([...new Set(tokens)])] : []),
    ...(ids.length > 0 ? [hasId([...new Set(ids)])] : []),
    ...others,
  ];
}

const hasAnyToken = (tokens: readonly string[]): QdrantCondition =>
  tokens[0] !== undefined && tokens.length === 1
    ? hasToken(tokens[0])
    : { key: PAYLOAD_KEYS.tokens, match: { any: [...tokens] } };

const isOfTokens = (condition: QdrantCondition): condition is HasValue | HasAnyValue =>
  'match' in condition && condition.key === PAYLOAD_KEYS.tokens;

const tokensOf = ({ match }: HasValue | HasAnyValue): readonly string[] =>
  'any' in match ? match.any : [match.value];

const isOfIds = (condition: QdrantCondition): condition is HasId => 'has_id' in condition;

export const negationOf = (condition: Condition): Condition =>
  typeof condition === 'boolean' ? !condition : { must_not: [condition] };

/** The condition as a filter; undefined when it holds for every point. */
export function toQdrantFilter(condition: Condition): QdrantFilter | undefined {
  if (condition === true) return undefined;
  return { must: [condition === false ? { has_id: [] } : condition] };
}
