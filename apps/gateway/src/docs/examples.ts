import { type JsonSchema } from './json-schema.js';
import { type SchemaBook } from './schema-book.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

/** What the fields of requests and answers look like in the examples of the document, by their public names. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  org_id: 'acme',
  project_id: 'travel-agent',
  description: 'What our travel agent knows of its customers',
  content: 'Alice prefers window seats.',
  producer: 'alice',
  producer_id: 'alice',
  produced_for: 'travel-agent',
  produced_for_id: 'travel-agent',
  producer_role: 'user',
  role: 'user',
  timestamp: EXAMPLE_INSTANT,
  created_at: EXAMPLE_INSTANT,
  metadata: { channel: 'chat' },
  query: 'Where does Alice like to sit?',
  filter: "metadata.channel='chat'",
  score: 0.83,
  score_threshold: 0.2,
  session_key: 'acme/travel-agent',
  uid: EXAMPLE_UID,
  episodic_id: EXAMPLE_UID,
  episodic_ids: [EXAMPLE_UID],
  episode_summary: [''],
  count: 2,
  set_metadata: { user_id: 'alice' },
  embedder: 'embedded',
  reranker: 'identity',
  vector_store: 'qdrant',
  properties_schema: { channel: 'str' },
  service: 'loci',
  version: '0.1.0',
  after: 'WyIyMDI1LTA2LTAxVDA5OjMwOjAwLjAwMDAwMFoiXQ',
};

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
  return Object.fromEntries(
    fields.map(([name, schema]) => [
      name,
      name in BY_NAME && !('examples' in schema) && fits(schema, book)
        ? BY_NAME[name]
        : exampleOf(schema, book),
    ]),
  );
}

/** A name that means something else here has a schema with values of its own. */
function fits(schema: JsonSchema, book: SchemaBook): boolean {
  const full = book.resolve(schema);
  const { anyOf: choices } = full;
  if (Array.isArray(choices)) return choices.every((choice) => fits(choice as JsonSchema, book));
  return !('enum' in full || 'const' in full || 'properties' in full);
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
