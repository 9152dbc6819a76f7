import { type Static, type TSchema, Type, type TUnsafe } from 'typebox';
import { read } from './read.js';
import { type Limits, ruled } from './rules.js';
import { Unreadable } from './unreadable.js';

/** What clients send as `described` says, and we work with as `parse` gives it. */
export const parsed = <Value>(
  described: TSchema,
  parse: (value: unknown, limits: Limits) => Value | Unreadable,
): TUnsafe<Value> => ruled(Type.Unsafe<Value>(described), { parse });

/** As `parsed`, of values that another schema accepts. */
export const parsedFrom = <Value, From extends TSchema>(
  described: TSchema,
  from: From,
  parse: (value: Static<From>, limits: Limits) => Value | Unreadable,
): TUnsafe<Value> =>
  parsed(described, (value, limits) => {
    const given = read(from, value, { path: [], limits });
    if (!('problems' in given)) return parse(given.value, limits);
    return new Unreadable((path) =>
      given.problems.map(({ loc, ...fault }) => ({ ...fault, loc: [...path, ...loc] })),
    );
  });
