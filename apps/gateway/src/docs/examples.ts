import { type JsonSchema } from './json-schema.js';
import { type SchemaBook } from './schema-book.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

/** An example of what a schema describes, made of the examples of its fields. */
export function exampleOf(schema: JsonSchema, book: SchemaBook): unknown {
  const full = book.resolve(schema);
  if ('const' in full) return full['const'];
  if (Array.isArray(full['examples'])) return full['examples'][0] as unknown;
  if (Array.isArray(full['enum'])) return full['enum'][0] as unknown;
  const choices = full['anyOf'] ?? full['oneOf'];
  if (Array.isArray(choices)) return exampleOf(choices[0] as JsonSchema, book);
  switch ([full['type']].flat()[0]) {
    case 'object':
      return objectExample(full, book);
    case 'array':
      return arrayExample(full, book);
    case 'boolean':
      return full['default'] ?? true;
    case 'integer':
    case 'number':
      return full['default'] ?? full['minimum'] ?? 1;
    case 'string':
      return full['default'] ?? stringExample(full);
    default:
      return null;
  }
}

function objectExample({ properties }: JsonSchema, book: SchemaBook): object {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(fields.map(([name, schema]) => [name, exampleOf(schema, book)]));
}

function arrayExample({ items, prefixItems }: JsonSchema, book: SchemaBook): unknown[] {
  if (Array.isArray(prefixItems)) return prefixItems.map((item) => exampleOf(item as JsonSchema, book));
  return items === undefined ? [] : [exampleOf(items as JsonSchema, book)];
}

function stringExample({ format, maxLength }: JsonSchema): string {
  if (format === 'uuid') return EXAMPLE_UID;
  if (format === 'date-time') return EXAMPLE_INSTANT;
  if (format === 'date') return EXAMPLE_INSTANT.slice(0, 'yyyy-mm-dd'.length);
  return maxLength === 0 ? '' : 'text';
}
