import { type Problem } from '@loci/contracts';
import { Check, Compile } from 'typebox/schema';
import { type BoundSchema } from './bind.js';
import { FAULTS, KEYWORDS, MISSING } from './faults.js';
import { isJsonObject } from './json-object.js';
import { type Fault, rulesOf } from './rules.js';
import { type Path, Unreadable } from './unreadable.js';

/** More problems in one answer would not help a client, and could be far larger than the request. */
const MAX_PROBLEMS = 1_000;

/** Keys come from clients and may be long. */
const MAX_KEY_CHARS = 128;

type IsValid = (value: unknown) => boolean;

const VALIDATORS = new WeakMap<BoundSchema, IsValid>();

/** The compiled check of a schema or of a part of one; compiled once. */
export function validatorOf(schema: BoundSchema): IsValid {
  const known = VALIDATORS.get(schema);
  if (known) return known;
  const compiled = Compile(schema);
  const isValid: IsValid = (value) => compiled.Check(value);
  VALIDATORS.set(schema, isValid);
  return isValid;
}

/**
 * All that is wrong with a value that was refused, by its path: one problem for each value, in the order of the schema.
 * What is inside a value is looked at only if the value itself is not too large.
 */
export function problemsOf(schema: BoundSchema, value: unknown, path: Path): readonly Problem[] {
  const problems: Problem[] = [];
  collect(schema, value, path, problems);
  return problems;
}

function collect(schema: BoundSchema, value: unknown, path: Path, problems: Problem[]): void {
  if (problems.length >= MAX_PROBLEMS || validatorOf(schema)(value)) return;
  if (value instanceof Unreadable) {
    for (const problem of value.problemsAt(path)) {
      if (problems.push(problem) >= MAX_PROBLEMS) break;
    }
    return;
  }
  const fault = faultOf(schema, value);
  if (fault) problems.push({ loc: path, msg: fault.msg, type: fault.type });
  else if (isJsonObject(value)) collectInObject(schema, value, path, problems);
  else if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) collect(schema.items, item, [...path, index], problems);
  }
}

/** Why the value itself is refused; undefined when only something inside it is. */
function faultOf(schema: BoundSchema, value: unknown): Fault | undefined {
  const keyword = KEYWORDS.find((one) => one in schema && !Check({ [one]: schema[one] }, value));
  return rulesOf(schema).fault?.(value, keyword) ?? (keyword && FAULTS[keyword](schema, value));
}

function collectInObject(
  schema: BoundSchema,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  problems: Problem[],
): void {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema;
  for (const [name, field] of Object.entries(properties)) {
    const at = [...path, name];
    if (Object.hasOwn(value, name)) collect(field, value[name], at, problems);
    else if (required.includes(name)) problems.push({ loc: at, ...MISSING });
  }
  if (typeof additionalProperties !== 'object') return;
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, key.slice(0, MAX_KEY_CHARS)];
    if (validatorOf(propertyNames)(key)) collect(additionalProperties, item, at, problems);
    else collect(propertyNames, key, at, problems);
  }
}
