import { allOf, Filter } from './filter.js';
import { type FilterValue, list, literal, metadataField, quoted } from './literals.js';

/** Comparisons of one field; all of them hold. A field that is missing fulfils none but `not`, `notIn` and `exists: false`. */
export interface Comparisons {
  readonly eq?: FilterValue;
  readonly not?: FilterValue;
  readonly in?: readonly (string | number)[];
  readonly notIn?: readonly (string | number)[];
  readonly lt?: FilterValue;
  readonly lte?: FilterValue;
  readonly gt?: FilterValue;
  readonly gte?: FilterValue;
  readonly exists?: boolean;
}

/** A value to equal, a list to be in, `null` for a field that is missing, or comparisons. */
export type Condition = FilterValue | readonly (string | number)[] | null | Comparisons;

/** A moment: a Date, ISO 8601, or Unix seconds (milliseconds above 10^12). */
export type Moment = Date | string | number;

/** When a memory is from. */
export interface Period {
  /** That moment, or later. */
  readonly since?: Moment;
  /** Earlier than that moment. */
  readonly until?: Moment;
}

/** What memories have to be like. The three ids are those that a scope notes in metadata. */
export interface Conditions {
  readonly user_id?: Condition;
  readonly session_id?: Condition;
  readonly agent_id?: Condition;
  /** When it was said, or learned. */
  readonly at?: Period;
  readonly uid?: Condition;
  /** Who said it. */
  readonly producer_id?: Condition;
  readonly producer_role?: Condition;
  readonly produced_for_id?: Condition;
  /** The producer that its key speaks for alone; none has it whose key speaks for any. */
  readonly bound_producer?: Condition;
  readonly content?: Condition;
  readonly set_id?: Condition;
  readonly category_name?: Condition;
  readonly tag?: Condition;
  readonly feature_name?: Condition;
  readonly value?: Condition;
  /** The user, or another person, whom a feature is about. */
  readonly subject?: Condition;
  readonly trust?: Condition;
  /** By any key. */
  readonly metadata?: Readonly<Record<string, Condition>>;
}

const SCOPE_KEYS = new Set(['user_id', 'session_id', 'agent_id']);
const FIELDS = new Set([
  'uid',
  'producer_id',
  'producer_role',
  'produced_for_id',
  'bound_producer',
  'content',
  'set_id',
  'category_name',
  'tag',
  'feature_name',
  'value',
  'subject',
  'trust',
]);

const OPERATORS = { eq: '=', not: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/**
 * A filter in which all conditions hold. Values are data: whatever is in them, they change no condition.
 * @example where({ user_id: 'mira', at: { since: new Date('2026-05-01') }, metadata: { room: ['kitchen', 'hall'] } })
 * @throws TypeError when a value is undefined, or when there is no condition: either would let through what it should not
 */
export function where(conditions: Conditions): Filter {
  const parts = Object.entries(conditions).flatMap(([name, condition]: [string, unknown]) => {
    if (condition === undefined)
      throw new TypeError(`The condition on ${name} is undefined: a variable is not set.`);
    if (name === 'at') return during(condition as Period);
    if (name === 'metadata') return onMetadata(condition as Readonly<Record<string, Condition>>);
    if (SCOPE_KEYS.has(name)) return onField(metadataField(name), condition);
    if (FIELDS.has(name)) return onField(name, condition);
    throw new TypeError(`There is no field ${name}; write metadata: { ${name}: … } for a key of metadata.`);
  });
  if (parts.length === 0) throw new TypeError('The filter has no condition, and would match everything.');
  return allOf(...parts);
}

function during({ since, until }: Period): Filter[] {
  const parts = [
    ...(since === undefined ? [] : [Filter.of(`created_at >= ${moment(since)}`)]),
    ...(until === undefined ? [] : [Filter.of(`created_at < ${moment(until)}`)]),
  ];
  if (parts.length === 0) throw new TypeError('The condition on at has neither since nor until.');
  return parts;
}

/** Texts go as they are: the language knows microseconds, a Date does not. */
function moment(at: Moment): string {
  if (typeof at !== 'string') return literal(at);
  if (!ISO_8601.test(at))
    throw new TypeError(`${at} is no ISO 8601 time like 2026-05-01 or 2026-05-01T10:00:00Z.`);
  return `date(${quoted(at)})`;
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[tT]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[zZ]|[+-]\d\d(?::?\d\d)?)?)?$/;

function onMetadata(conditions: Readonly<Record<string, Condition>>): Filter[] {
  const parts = Object.entries(conditions).flatMap(([key, condition]) =>
    onField(metadataField(key), condition),
  );
  if (parts.length === 0) throw new TypeError('The condition on metadata names no key.');
  return parts;
}

function onField(field: string, condition: Condition): Filter[] {
  if (condition === null) return [missing(field)];
  if (isList(condition)) return [isIn(field, condition)];
  if (typeof condition !== 'object' || condition instanceof Date) return [compared(field, '=', condition)];
  const parts = Object.entries(condition).map(([name, value]) => comparison(field, name, value));
  if (parts.length === 0) throw new TypeError(`The condition on ${field} compares with nothing.`);
  return parts;
}

function comparison(field: string, name: string, value: unknown): Filter {
  switch (name) {
    case 'in':
      return isIn(field, value);
    case 'notIn':
      return isListed(value) ? Filter.of(`${field} NOT IN ${list(value)}`) : always(field);
    case 'exists':
      return value === true ? Filter.of(`${field} IS NOT NULL`) : missing(field);
    case 'eq':
    case 'not':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return compared(field, OPERATORS[name], value);
    default:
      throw new TypeError(
        `There is no comparison ${name}; known are eq, not, in, notIn, lt, lte, gt, gte, exists.`,
      );
  }
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** @throws TypeError for what is no list */
function isListed(value: unknown): value is readonly unknown[] {
  if (!isList(value)) throw new TypeError('The comparisons in and notIn take a list.');
  return value.length > 0;
}

const compared = (field: string, operator: string, value: unknown): Filter =>
  Filter.of(`${field} ${operator} ${literal(value)}`);

const missing = (field: string): Filter => Filter.of(`${field} IS NULL`);

/** In an empty list is nothing: such a condition holds for no memory. */
const isIn = (field: string, values: unknown): Filter =>
  isListed(values)
    ? Filter.of(`${field} IN ${list(values)}`)
    : Filter.of(`${field} IS NULL AND ${field} IS NOT NULL`, 'AND');

const always = (field: string): Filter => Filter.of(`${field} IS NULL OR ${field} IS NOT NULL`, 'OR');
