import { isIndexable } from '@loci/contracts';
import {
  type Static,
  type TEnum,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
  type TUnsafe,
} from 'typebox';
import { booleanFrom, integerFrom, numberFrom } from './coerce.js';
import { type JsonObject } from './json-object.js';
import { type Limit, type LimitName, type ReadRules, ruled, withKeywords } from './rules.js';
import { isStorable, NOT_INDEXABLE, NOT_STORABLE } from './storable.js';

/** The schema of an object with known fields. */
export interface ObjectSchema extends TSchema {
  readonly properties: TProperties;
}

/** What `isStorable` takes, for documents; the patterns of other languages know no word for half of a surrogate pair. */
const STORABLE = '^[^\\u0000]*$';

/** A text of at most `max` characters that can be stored: without NUL and without half of a surrogate pair. */
export const text = (max: Limit): TUnsafe<string> =>
  ruled(
    Type.Refine(
      Type.Unsafe<string>(bounded({ type: 'string' }, { maxLength: max })),
      isStorable,
      () => NOT_STORABLE.type,
    ),
    { published: { pattern: STORABLE } },
  );

/** A text with at least one character. */
export const filledText = (max: Limit): TUnsafe<string> => withKeywords(text(max), { minLength: 1 });

/** A name that indexes take: at most `MAX_NAME_BYTES` bytes in UTF-8 too. */
export const nameText = (max: Limit, { min = 1 } = {}): TUnsafe<string> =>
  Type.Refine(min === 0 ? text(max) : filledText(max), isIndexable, () => NOT_INDEXABLE.type);

/** A whole number; as text it is understood too. */
export const integer = ({ above, min, max }: { above?: number; min?: number; max: Limit }): TUnsafe<number> =>
  ruled(
    Type.Unsafe<number>(
      bounded(
        {
          type: 'integer',
          ...(above !== undefined && { exclusiveMinimum: above }),
          ...(min !== undefined && { minimum: min }),
        },
        { maximum: max },
      ),
    ),
    { coerce: integerFrom },
  );

/** A finite number; as text it is understood too. */
export const number = (bounds: {
  exclusiveMinimum?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
}): TUnsafe<number> => ruled(Type.Unsafe<number>({ type: 'number', ...bounds }), { coerce: numberFrom });

/** A boolean as leniently as pydantic takes it. */
export const boolean: TUnsafe<boolean> = ruled(Type.Unsafe<boolean>({ type: 'boolean' }), {
  coerce: booleanFrom,
});

/** One of a few texts. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[]): TEnum<Choice[]> =>
  Type.Enum([...choices], { type: 'string' });

/** A list whose items have one schema. */
export const listOf = <Item extends TSchema>(
  item: Item,
  { min = 0, max }: { min?: number; max: Limit },
): TUnsafe<readonly Static<Item>[]> =>
  Type.Unsafe(bounded({ type: 'array', items: item, ...(min > 0 && { minItems: min }) }, { maxItems: max }));

export interface MapLimits {
  readonly maxKeys: Limit;
  readonly maxKeyChars: number;
}

/** A map whose values have one schema. Keys may be anything that can be stored, `__proto__` included. */
export const mapOf = <Item extends TSchema>(
  item: Item,
  { maxKeys, maxKeyChars }: MapLimits,
): TUnsafe<Readonly<Record<string, Static<Item>>>> =>
  Type.Unsafe(
    bounded(
      { type: 'object', additionalProperties: item, propertyNames: keyOf(maxKeyChars) },
      { maxProperties: maxKeys },
    ),
  );

export const textMap = ({
  maxChars,
  ...limits
}: MapLimits & { maxChars: Limit }): TUnsafe<Readonly<Record<string, string>>> =>
  mapOf(text(maxChars), limits);

const keyOf = (maxLength: number): TSchema =>
  Type.Refine(Type.Unsafe<string>({ maxLength }), isStorable, () => NOT_STORABLE.type);

/** An object whose content is the client's own business. */
export const freeForm: TUnsafe<JsonObject> = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
});

/** A field that may be left out. */
export const optional = <Schema extends TSchema>(
  schema: Schema,
): TOptional<TUnsafe<Static<Schema> | undefined>> =>
  Type.Optional(Type.Unsafe<Static<Schema> | undefined>(schema));

/** A field for which null means the same as leaving it out. */
export const nullAsAbsent = <Schema extends TSchema>(schema: Schema): Schema =>
  ruled(schema, { nullable: true });

/** A field that may be left out or be null. */
export const nullish = <Schema extends TSchema>(
  schema: Schema,
): TOptional<TUnsafe<Static<Schema> | undefined>> => optional(nullAsAbsent(schema));

/** A field that has a value when it is left out. */
export const byDefault = <Schema extends TSchema>(schema: Schema, value: Static<Schema>): Schema =>
  withKeywords(schema, { default: value });

/**
 * A field with what documents say of it. The description is of the field, not of the schema: one that has a title, and
 * stands in the document once, can be described differently wherever it is used.
 * @param example a value as clients would send or get it
 */
export const described = <Schema extends TSchema>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema => ruled(schema, { field: { description, ...(example !== undefined && { examples: [example] }) } });

/** The schema with one problem for all that can be wrong with its value, and with what is inside. */
export const refusedAs = <Schema extends TSchema>(schema: Schema, type: string, msg: string): Schema =>
  ruled(schema, { fault: () => ({ type, msg }) });

/** The schema with bounds that the deployment may set. */
function bounded(schema: TSchema, bounds: Readonly<Record<string, Limit>>): TSchema {
  const fixed = Object.entries(bounds).filter(([, limit]) => typeof limit === 'number');
  const set = Object.entries(bounds).filter(
    (entry): entry is [string, LimitName] => typeof entry[1] === 'string',
  );
  const rules: ReadRules = set.length > 0 ? { limits: Object.fromEntries(set) } : {};
  return ruled({ ...schema, ...Object.fromEntries(fixed) }, rules);
}
