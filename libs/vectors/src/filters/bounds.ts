import { allOf, anyOf, type Condition, negationOf } from './condition.js';

/**
 * A filter between two conditions that the index can evaluate: every point that it keeps fulfils `upper`, and
 * it keeps every point that fulfils `lower`. Two bounds instead of one, because NOT of an over-estimate is an
 * under-estimate: it would lose true matches.
 */
export interface Bounds {
  readonly upper: Condition;
  readonly lower: Condition;
}

export const exactly = (condition: Condition): Bounds => ({ upper: condition, lower: condition });

/** At most the points of a condition, and perhaps none of them. */
export const atMost = (condition: Condition): Bounds => ({ upper: condition, lower: false });

/** Nothing is known. */
export const UNKNOWN: Bounds = atMost(true);

export const allBounds = (args: readonly Bounds[]): Bounds => ({
  upper: allOf(args.map(({ upper }) => upper)),
  lower: allOf(args.map(({ lower }) => lower)),
});

export const anyBounds = (args: readonly Bounds[]): Bounds => ({
  upper: anyOf(args.map(({ upper }) => upper)),
  lower: anyOf(args.map(({ lower }) => lower)),
});

export const complement = ({ upper, lower }: Bounds): Bounds => ({
  upper: negationOf(lower),
  lower: negationOf(upper),
});

export const isExact = ({ upper, lower }: Bounds): boolean => JSON.stringify(upper) === JSON.stringify(lower);
