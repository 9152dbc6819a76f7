import { type BoundSchema } from './bind.js';
import { isJsonObject } from './json-object.js';
import { sizeOf } from './oversized.js';
import { type Fault } from './rules.js';
import { NOT_INDEXABLE, NOT_STORABLE } from './storable.js';

type Explain = (schema: BoundSchema, value: unknown) => Fault;

/**
 * The map from the keyword that refuses a value to what clients are told. Of several keywords that refuse one value, the
 * first of this list speaks. Slugs and sentences are in the style of pydantic 2.
 */
export const FAULTS = {
  enum: ({ enum: choices = [] }) => ({
    type: 'enum',
    msg: `Input should be ${choices.map((choice) => `'${choice}'`).join(' or ')}`,
  }),
  type: (schema, value) => WRONG_TYPE[schema.type ?? '']?.(value, schema) ?? UNKNOWN,
  maxProperties: ({ maxProperties = 0 }, value) =>
    tooLong('Dictionary', maxProperties, isJsonObject(value) ? sizeOf(value) : 0),
  minItems: ({ minItems = 0 }, value) => ({
    type: 'too_short',
    msg: `List should have at least ${many(minItems, 'item')} after validation, not ${lengthOf(value)}`,
  }),
  maxItems: ({ maxItems = 0 }, value) => tooLong('List', maxItems, lengthOf(value)),
  maxLength: ({ maxLength = 0 }) => ({
    type: 'string_too_long',
    msg: `String should have at most ${many(maxLength, 'character')}`,
  }),
  '~refine': ({ '~refine': refinements = [] }, value) => {
    const type = refinements.find(({ check }) => !check(value))?.error(value) ?? '';
    return { type, msg: REFINED[type] ?? 'Input should be valid' };
  },
  pattern: ({ pattern = '' }) => ({
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${pattern}'`,
  }),
  minLength: ({ minLength = 0 }) => ({
    type: 'string_too_short',
    msg: `String should have at least ${many(minLength, 'character')}`,
  }),
  exclusiveMinimum: ({ exclusiveMinimum = 0 }) => ({
    type: 'greater_than',
    msg: `Input should be greater than ${exclusiveMinimum}`,
  }),
  minimum: ({ minimum = 0 }) => ({
    type: 'greater_than_equal',
    msg: `Input should be greater than or equal to ${minimum}`,
  }),
  maximum: ({ maximum = 0 }) => ({
    type: 'less_than_equal',
    msg: `Input should be less than or equal to ${maximum}`,
  }),
  multipleOf: () => ({ type: 'int_type', msg: 'Input should be a valid integer' }),
} as const satisfies Readonly<Record<string, Explain>>;

export type Keyword = keyof typeof FAULTS;

export const KEYWORDS = Object.keys(FAULTS) as readonly Keyword[];

export const MISSING: Fault = { type: 'missing', msg: 'Field required' };

/** By the slug that a refinement gives as its error. */
const REFINED: Readonly<Record<string, string>> = {
  [NOT_STORABLE.type]: NOT_STORABLE.msg,
  [NOT_INDEXABLE.type]: NOT_INDEXABLE.msg,
};

const UNKNOWN: Fault = { type: 'type_error', msg: 'Input should be of another type' };

/** By the type that a value should have. */
const WRONG_TYPE: Readonly<Record<string, (value: unknown, schema: BoundSchema) => Fault>> = {
  string: () => ({ type: 'string_type', msg: 'Input should be a valid string' }),
  integer: (value) => {
    if (typeof value === 'string') return unparsed('int', 'integer');
    if (typeof value !== 'number') return { type: 'int_type', msg: 'Input should be a valid integer' };
    if (!Number.isFinite(value)) return INFINITE;
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    return { type: 'int_from_float', msg };
  },
  number: (value) => {
    if (typeof value === 'string') return unparsed('float', 'number');
    return typeof value === 'number'
      ? INFINITE
      : { type: 'float_type', msg: 'Input should be a valid number' };
  },
  boolean: (value) =>
    typeof value === 'string' || typeof value === 'number'
      ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
      : { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: () => ({ type: 'list_type', msg: 'Input should be a valid list' }),
  object: (_value, { properties }) =>
    properties
      ? {
          type: 'model_attributes_type',
          msg: 'Input should be a valid dictionary or object to extract fields from',
        }
      : { type: 'dict_type', msg: 'Input should be a valid dictionary' },
};

const INFINITE: Fault = { type: 'finite_number', msg: 'Input should be a finite number' };

const unparsed = (slug: string, name: string): Fault => ({
  type: `${slug}_parsing`,
  msg: `Input should be a valid ${name}, unable to parse string as ${name === 'integer' ? 'an' : 'a'} ${name}`,
});

const tooLong = (what: string, max: number, length: number): Fault => ({
  type: 'too_long',
  msg: `${what} should have at most ${many(max, 'item')} after validation, not ${length}`,
});

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
