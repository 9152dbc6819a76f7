type Json = Readonly<Record<string, unknown>>;

/** What strict structured output does not know, or not for every model. */
const BOUNDS = new Set([
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

/** Keywords whose values have names for keys, and keywords whose values are no schemas. */
const NAMED = new Set(['properties', '$defs']);
const VALUES = new Set(['enum', 'const', 'required', 'type']);

/**
 * A schema that keeps the rules of strict structured output, under which a provider constrains decoding: objects are
 * closed, every property is required, an optional one may be null, and no bounds are stated.
 * @returns undefined for a schema with objects of unknown keys, which has no strict form
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export function toStrictSchema(schema: Json): Json | undefined {
  const strict = closed(nullableOptionals(withoutBounds(schema)));
  return isClosed(strict) ? strict : undefined;
}

/**
 * The same schema without bounds, which are checked in the reply: they may differ from one request to the next, and a
 * schema stands before the messages, in the beginning that providers keep.
 */
export function withoutBounds(schema: Json): Json {
  const kept = Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword));
  return mapParts(Object.fromEntries(kept), withoutBounds);
}

/** The same schema, where null is as good as absent for each property that is not required. */
export function nullableOptionals(schema: Json): Json {
  const inside = mapParts(schema, nullableOptionals);
  const { properties, required } = inside;
  if (!isJson(properties)) return inside;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const nullables = Object.entries(properties).map(
    ([name, property]) =>
      [name, isJson(property) && !isRequired(name) ? nullable(property) : property] as const,
  );
  return { ...inside, properties: Object.fromEntries(nullables) };
}

function nullable(schema: Json): Json {
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) && { enum: [...new Set<unknown>(values).add(null)] }),
  };
}

function closed(schema: Json): Json {
  const inside = mapParts(schema, closed);
  const { properties, additionalProperties = false } = inside;
  if (!isJson(properties)) return inside;
  return { ...inside, required: Object.keys(properties), additionalProperties };
}

function isClosed(schema: Json): boolean {
  const isObject = [schema['type']].flat().includes('object');
  let areClosed = !isObject || schema['additionalProperties'] === false;
  mapParts(schema, (part) => {
    areClosed &&= isClosed(part);
    return part;
  });
  return areClosed;
}

/** The schema with every schema directly inside it changed. */
function mapParts(schema: Json, change: (part: Json) => Json): Json {
  const parts = Object.entries(schema).map(([keyword, value]) => {
    if (VALUES.has(keyword)) return [keyword, value] as const;
    if (Array.isArray(value)) return [keyword, value.map((item: unknown) => changed(item, change))] as const;
    if (!NAMED.has(keyword) || !isJson(value)) return [keyword, changed(value, change)] as const;
    const named = Object.entries(value).map(([name, part]) => [name, changed(part, change)] as const);
    return [keyword, Object.fromEntries(named)] as const;
  });
  return Object.fromEntries(parts);
}

const changed = (value: unknown, change: (part: Json) => Json): unknown =>
  isJson(value) ? change(value) : value;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
