import fc from 'fast-check';

/** A JSON schema of the API document. */
export type Schema = Readonly<Record<string, unknown>>;

const MAX_TEXT_CHARS = 300;
const MAX_ITEMS = 4;

/** Texts that break careless code: control characters, quotes, patterns of SQL, half of a surrogate pair. */
const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  "' OR '1'='1",
  '%',
  '_',
  '\\',
  '../..',
  '🦊',
  '$HOME',
  '${x}',
  'null',
  '0',
];

const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom(...NASTY));

/** Values that a schema describes. References are looked up in `schemas`. */
export function valueOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
  const { $ref: reference } = schema;
  if (typeof reference === 'string')
    return valueOf(schemas[reference.split('/').at(-1) ?? ''] ?? {}, schemas);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => valueOf(choice as Schema, schemas)));
  const types = [schema['type']].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, schema, schemas)));
}

function valueOfType(
  type: unknown,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({
        min: numberOf(schema, 'minimum', numberOf(schema, 'exclusiveMinimum', -6) + 1),
        max: numberOf(schema, 'maximum', 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({
        min: numberOf(schema, 'minimum', -1e9),
        max: numberOf(schema, 'maximum', 1e9),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf((schema['items'] ?? {}) as Schema, schemas), {
        minLength: numberOf(schema, 'minItems', 0),
        maxLength: Math.min(
          numberOf(schema, 'maxItems', MAX_ITEMS),
          Math.max(MAX_ITEMS, numberOf(schema, 'minItems', 0)),
        ),
      });
    case 'object':
      return objectOf(schema, schemas);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const numberOf = (schema: Schema, keyword: string, otherwise: number): number =>
  typeof schema[keyword] === 'number' ? schema[keyword] : otherwise;

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (schema['format'] === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (schema['format'] === 'uuid') return fc.uuid();
  const maxLength = Math.min(MAX_TEXT_CHARS, numberOf(schema, 'maxLength', MAX_TEXT_CHARS));
  const minLength = numberOf(schema, 'minLength', 0);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const isIdentifier = pattern !== undefined && !pattern.test(' ');
  const text = isIdentifier
    ? fc.constantFrom('acme', 'fuzz', 'a-b_c:d', 'ünïcödé', '日本')
    : fc.string({ unit: 'grapheme', minLength, maxLength });
  return text.filter(
    (one) => (pattern?.test(one) ?? true) && [...one].length >= minLength && [...one].length <= maxLength,
  );
}

function objectOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): fc.Arbitrary<object> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const { additionalProperties: others } = schema;
  if (properties.length === 0) {
    const value =
      typeof others === 'object' ? valueOf(others as Schema, schemas) : fc.jsonValue({ maxDepth: 1 });
    return fc.dictionary(
      fc.string({ maxLength: 20 }).filter((key) => !key.includes('\0')),
      value,
      { maxKeys: MAX_ITEMS },
    );
  }
  return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, valueOf(one, schemas)])), {
    requiredKeys: (schema['required'] ?? []) as string[],
  });
}

/** A body like the valid one, with something wrong in it, or something else altogether. */
export const spoilt = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(valid, fc.nat(), wrongValue)
        .map(([body, index, wrong]) => withWrong(body, index, wrong)),
    },
    { weight: 1, arbitrary: wrongValue },
  );

const wrongValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1e308, 2 ** 53, [], {}, null),
);

function withWrong(body: unknown, index: number, wrong: unknown): unknown {
  if (typeof body !== 'object' || body === null) return wrong;
  const entries: [string, unknown][] = Object.entries(body);
  const [name, value] = entries[index % Math.max(1, entries.length)] ?? ['content', undefined];
  const isDeeper = typeof value === 'object' && value !== null && index % 2 === 0;
  return { ...body, [name]: isDeeper ? withWrong(value, index >> 1, wrong) : wrong };
}
