import { invalid, type Problem } from '@loci/contracts';
import { type Static, type TSchema } from 'typebox';
import { bind } from './bind.js';
import { MISSING } from './faults.js';
import { problemsOf, validatorOf } from './explain.js';
import { preparation } from './prepare.js';
import { type Limits } from './rules.js';
import { type Path } from './unreadable.js';

/** A value as its schema says, or everything that is wrong with it. */
export type Read<Value> = { readonly value: Value } | { readonly problems: readonly [Problem, ...Problem[]] };

type Reader = (value: unknown, path: Path) => Read<unknown>;

const READERS = new WeakMap<Limits, WeakMap<TSchema, Reader>>();
const NO_LIMITS: Limits = {};

export interface ReadOptions {
  /** The path of the value in what the client sent. */
  readonly path: Path;
  /** Those that the deployment sets. */
  readonly limits?: Limits;
}

/**
 * Reads a value: other forms become the one of the schema, what is left out gets its default, and what is unknown is
 * dropped. A schema is compiled once for each set of limits.
 * @param value parsed JSON; undefined when there was none
 */
export function read<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  { path, limits = NO_LIMITS }: ReadOptions,
): Read<Static<Schema>> {
  // the schema has just proved it
  return readerOf(schema, limits)(value, path) as Read<Static<Schema>>;
}

/** @throws AppError `invalid_request` with every problem */
export function readOrRefuse<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  options: ReadOptions,
): Static<Schema> {
  const outcome = read(schema, value, options);
  if ('problems' in outcome) throw invalid('invalid_request', outcome.problems);
  return outcome.value;
}

function readerOf(schema: TSchema, limits: Limits): Reader {
  const readers = READERS.get(limits) ?? new WeakMap<TSchema, Reader>();
  READERS.set(limits, readers);
  const known = readers.get(schema);
  if (known) return known;
  const reader = compile(schema, limits);
  readers.set(schema, reader);
  return reader;
}

function compile(schema: TSchema, limits: Limits): Reader {
  const bound = bind(schema, limits);
  const prepare = preparation(bound, limits);
  const isValid = validatorOf(bound);
  return (given, path) => {
    if (given === undefined) return { problems: [{ loc: path, ...MISSING }] };
    const value = prepare(given);
    if (isValid(value)) return { value };
    const [first, ...others] = problemsOf(bound, value, path);
    if (!first) throw new Error('A schema refuses a value, and none of its keywords does.');
    return { problems: [first, ...others] };
  };
}
