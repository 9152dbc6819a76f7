const INTEGER = /^\s*[+-]?\d+\s*$/;
/** A run of digits is read in one way alone: with two, a long one that ends in a letter takes its square in time. */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

const TRUE = new Set<unknown>([1, '1', 'true', 't', 'yes', 'y', 'on']);
const FALSE = new Set<unknown>([0, '0', 'false', 'f', 'no', 'n', 'off']);

/** Reads a whole number that came as text. One beyond all numbers stays one that bounds refuse. */
export function integerFrom(value: unknown): unknown {
  if (typeof value !== 'string' || !INTEGER.test(value)) return value;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value)));
}

/** Reads a number that came as text. */
export const numberFrom = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;

/** Reads what pydantic takes for a boolean. */
export function booleanFrom(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const folded = typeof value === 'string' ? value.toLowerCase() : value;
  if (TRUE.has(folded)) return true;
  return FALSE.has(folded) ? false : value;
}
