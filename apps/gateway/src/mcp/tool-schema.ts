import { isJsonObject, type JsonObject, type Limits, type ObjectSchema } from '@loci/platform/schema';
import { type Tool } from '@modelcontextprotocol/sdk/types.js';
import { SchemaBook } from '../docs/schema-book.js';
import { type JsonSchema } from '../docs/json-schema.js';

/**
 * The keywords that the tools of every model provider take. Gemini refuses a request with a keyword that it does not
 * know, and patterns of JavaScript are none in other languages.
 */
const KEYWORDS = [
  'type',
  'description',
  'default',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'required',
] as const;

const isNull = (schema: unknown): boolean => isJsonObject(schema) && schema['type'] === 'null';

/** What a tool takes: a schema that stands on its own. What may be null may be left out, and is described as that only. */
export const inputSchema = (schema: ObjectSchema, limits: Limits): Tool['inputSchema'] =>
  plainObject(schema, limits, (choices) => choices.filter((choice) => !isNull(choice)));

/** What a tool gives: a schema that stands on its own, with null where there may be null. */
export const outputSchema = (schema: ObjectSchema, limits: Limits): NonNullable<Tool['outputSchema']> =>
  plainObject(schema, limits, (choices) => choices);

type Choose = (choices: readonly unknown[]) => readonly unknown[];

function plainObject(schema: ObjectSchema, limits: Limits, choose: Choose): Tool['inputSchema'] {
  const book = new SchemaBook(limits);
  const { properties, required } = book.describeFields(schema);
  return { type: 'object', properties: plainFields(properties, book, choose), required: [...required] };
}

const plainFields = (fields: JsonObject, book: SchemaBook, choose: Choose): Record<string, object> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, plain(field, book, choose)]));

function plain(given: unknown, book: SchemaBook, choose: Choose): Record<string, unknown> {
  const schema = withoutConst(book.resolve(given as JsonSchema));
  const { anyOf, type, enum: values, properties, items } = schema;
  if (Array.isArray(anyOf)) return ofChoices(schema, choose(anyOf as unknown[]), book, choose);
  return {
    ...Object.fromEntries(KEYWORDS.filter((keyword) => keyword in schema).map((one) => [one, schema[one]])),
    ...(Array.isArray(type) && { type: (type as unknown[]).find((one) => one !== 'null') }),
    ...(Array.isArray(values) && {
      type: 'string',
      enum: (values as unknown[]).filter((one) => one !== null),
    }),
    ...(isJsonObject(properties) && { properties: plainFields(properties, book, choose) }),
    ...(isJsonObject(items) && { items: plain(items, book, choose) }),
  };
}

function ofChoices(
  schema: JsonSchema,
  choices: readonly unknown[],
  book: SchemaBook,
  choose: Choose,
): Record<string, unknown> {
  const { description } = schema;
  const described = choices.map((choice) => plain(choice, book, choose));
  const [only, ...others] = described;
  const about = description === undefined ? {} : { description };
  return others.length === 0 ? { ...only, ...about } : { anyOf: described, ...about };
}

const withoutConst = ({ const: value, ...schema }: JsonSchema): JsonSchema =>
  value === undefined ? schema : typeof value === 'string' ? { ...schema, enum: [value] } : schema;
