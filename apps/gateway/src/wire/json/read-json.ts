import { invalid } from '@loci/contracts';
import { jsonErrorPosition } from './json-error-position.js';
import { findExcessiveStructure } from './json-structure.js';

/** Requests of ours are flat; JSON that is nested deeper than this would only be walked in vain. */
const MAX_DEPTH = 64;

/** A request of ours has a few thousand at most. */
const MAX_CONTAINERS = 50_000;

/** 1,000 messages with all the metadata that they may have have fewer. Building an object takes longer than reading a text. */
const MAX_FIELDS = 100_000;

/** Twice as many: no request of ours has long lists of numbers, and what checks one notes each fault. */
const MAX_FURTHER = 200_000;

/** The fields that say whose data is meant. */
const TENANT_FIELDS = ['org_id', 'project_id', 'proj_id'].map((name) => new TextEncoder().encode(name));

const EXCESSES = {
  maxDepth: `nested deeper than ${MAX_DEPTH} levels`,
  maxContainers: `more than ${MAX_CONTAINERS} objects and lists`,
  maxFields: `more than ${MAX_FIELDS} fields of objects`,
  maxFurther: `more than ${MAX_FURTHER} fields and items of lists`,
  once: 'this object names its organization or project twice',
};

const LIMITS = {
  maxDepth: MAX_DEPTH,
  maxContainers: MAX_CONTAINERS,
  maxFields: MAX_FIELDS,
  maxFurther: MAX_FURTHER,
  once: TENANT_FIELDS,
};

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON of a body.
 * @returns undefined when the body is empty
 * @throws AppError `invalid_request` with the position of what is not JSON, in characters from 0
 */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  const excess = findExcessiveStructure(bytes, LIMITS);
  if (excess) throw notJson(decode(bytes.subarray(0, excess.offset)).length, EXCESSES[excess.limit]);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const position = jsonErrorPosition(text);
    throw notJson(position, position >= text.length ? 'it ends too early' : 'unexpected character');
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw notJson(new TextDecoder().decode(bytes).indexOf('\ufffd'), 'not valid UTF-8');
  }
}

const notJson = (position: number, reason: string): Error =>
  invalid('invalid_request', [
    { loc: ['body', position], msg: `JSON decode error: ${reason}`, type: 'json_invalid' },
  ]);
