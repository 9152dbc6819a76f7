import { type BoundSchema } from './bind.js';
import { isJsonObject } from './json-object.js';
import { beginningOf } from './oversized.js';
import { type Limits, rulesOf } from './rules.js';

/** Turns a value into the one that is checked; what the check refuses is refused in its prepared form, too. */
export type Prepare = (value: unknown) => unknown;

/**
 * Other forms become the one of the schema, fields that are left out get their defaults, unknown fields are dropped.
 * The value itself stays as it is.
 */
export function preparation(schema: BoundSchema, limits: Limits): Prepare {
  const { coerce, parse } = rulesOf(schema);
  if (parse) return (value) => parse(value, limits);
  const inside = preparationInside(schema, limits);
  return coerce ? (value) => inside(coerce(value)) : inside;
}

function preparationInside(schema: BoundSchema, limits: Limits): Prepare {
  const { properties, items, additionalProperties, maxItems = Infinity, maxProperties = Infinity } = schema;
  if (properties) return preparationOfFields(properties, limits);
  if (items) {
    const prepare = preparation(items, limits);
    return (value) =>
      Array.isArray(value) && value.length <= maxItems ? value.map((item: unknown) => prepare(item)) : value;
  }
  if (typeof additionalProperties === 'object') {
    const prepare = preparation(additionalProperties, limits);
    return (value) => {
      if (!isJsonObject(value)) return value;
      const keys = Object.keys(value);
      if (keys.length > maxProperties) return beginningOf(value, keys, maxProperties + 1);
      if (prepare === unchanged) return value;
      return Object.fromEntries(keys.map((key) => [key, prepare(value[key])]));
    };
  }
  return unchanged;
}

const unchanged: Prepare = (value) => value;

function preparationOfFields(properties: Readonly<Record<string, BoundSchema>>, limits: Limits): Prepare {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    prepare: preparation(schema, limits),
    isNullable: rulesOf(schema).nullable === true,
    hasDefault: 'default' in schema,
    default: schema.default,
  }));
  return (value) => {
    if (!isJsonObject(value)) return value;
    const prepared: Record<string, unknown> = {};
    for (const field of fields) {
      const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      const isAbsent = given === undefined || (given === null && field.isNullable);
      if (!isAbsent) prepared[field.name] = field.prepare(given);
      else if (field.hasDefault) prepared[field.name] = field.default;
    }
    return prepared;
  };
}
