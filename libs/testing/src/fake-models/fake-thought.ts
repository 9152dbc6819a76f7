import { consolidate, extract } from './fake-extraction.js';
import { isJson, type Json } from './provider-answer.js';

/** What a language model is asked, whatever the protocol. */
export interface Prompt {
  readonly system: string;
  /** The last message of the user. */
  readonly user: string;
  /** The first one: another than the last where a reply could not be used, and another one is asked for. */
  readonly first: string;
  /** The JSON schema that the reply must fit. */
  readonly schema?: Json | undefined;
}

const MAX_SUMMARY_WORDS = 60;

/** A reply that is always the same for the same prompt: extraction, consolidation, else a short summary. */
export function think({ system, user, schema }: Prompt): string {
  const asked = `${JSON.stringify(schema ?? {})} ${system}`;
  if (asked.includes('consolidated_memories')) return JSON.stringify(consolidate(user));
  if (/\\?"commands\\?"/.test(asked)) return JSON.stringify(extract(user, schema));
  if (schema) return JSON.stringify(example(schema));
  return `Summary: ${user.trim().split(/\s+/).slice(0, MAX_SUMMARY_WORDS).join(' ')}`;
}

/** The smallest value that fits a plain schema. */
function example(schema: unknown): unknown {
  if (!isJson(schema)) return null;
  const { type, properties, required } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (type) {
    case 'object': {
      const needed = Array.isArray(required) ? required.map(String) : [];
      return Object.fromEntries(
        needed.map((key) => [key, example(isJson(properties) ? properties[key] : {})]),
      );
    }
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return 'example';
  }
}
