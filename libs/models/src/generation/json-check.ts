import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { storableText } from '@loci/platform/schema';
import { JsonStructure } from '../egress/json-structure.js';
import { type JsonRequest } from '../language-model.js';
import { nullableOptionals } from './strict-schema.js';

const MAX_COMPILED = 100;
const FENCE = '```';

export type CheckedReply = { readonly value: unknown } | { readonly problem: string };

/** Reads replies as JSON and checks them against their schema. */
export class JsonCheck {
  private readonly compiled = new Map<string, ValidateFunction>();

  check(reply: string, schema: JsonRequest['schema']): CheckedReply {
    const parsed = parseJson(reply);
    if ('problem' in parsed) return parsed;
    const validate = this.validatorOf(schema);
    if (validate(parsed.value)) return parsed;
    const [{ instancePath, message } = { instancePath: '', message: 'is wrong' }] = validate.errors ?? [];
    return { problem: `${instancePath || 'The object'} ${message ?? 'is wrong'}.` };
  }

  private validatorOf(schema: JsonRequest['schema']): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.compiled.get(key);
    if (known) return known;
    if (this.compiled.size >= MAX_COMPILED) this.compiled.clear();
    // an instance of its own, because ajv keeps what it compiled for ever; the schema is ours, and checking it would take
    // fifty times as long as compiling it. It stops at the first problem: a reply may have one for each of its bytes
    const validate = new Ajv2020({ strict: false, validateSchema: false }).compile(nullableOptionals(schema));
    this.compiled.set(key, validate);
    return validate;
  }
}

/** The JSON in a reply, with texts that can be stored: the whole of it, inside a code fence, or from its first to its last brace. */
function parseJson(reply: string): CheckedReply {
  const fenced = insideFence(reply);
  const braced = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  for (const candidate of [reply, fenced, braced]) {
    if (!candidate?.trim()) continue;
    const excess = new JsonStructure().excessIn(Buffer.from(candidate));
    if (excess !== undefined) return { problem: `It ${excess}.` };
    try {
      return { value: JSON.parse(candidate, storableValue) };
    } catch {
      // the next candidate
    }
  }
  return { problem: 'It is not valid JSON.' };
}

/** A model that cuts an emoji, or is told to, writes half a character. */
const storableValue = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? storableText(value) : value;

/** What the first code fence has inside. Not by one expression: blanks without an end would take it quadratic time. */
function insideFence(reply: string): string | undefined {
  const start = reply.indexOf(FENCE);
  const end = start < 0 ? -1 : reply.indexOf(FENCE, start + FENCE.length);
  return end < 0 ? undefined : reply.slice(start + FENCE.length, end).replace(/^json/, '');
}
