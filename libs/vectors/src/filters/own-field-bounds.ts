import { type Comparison, type Literal } from '@loci/contracts';
import { type Bounds, complement, exactly, UNKNOWN } from './bounds.js';
import { type Condition, createdWithin, hasId } from './condition.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every point has an id; a literal that can't be one equals none. */
export function uidBounds(comparison: Comparison, literal: Literal): Bounds {
  const isThis: Condition = literal.type === 'string' && UUID.test(literal.value) && hasId([literal.value]);
  switch (comparison) {
    case '=':
      return exactly(isThis);
    case '!=':
      return complement(exactly(isThis));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return UNKNOWN;
  }
}

/** Every point has the moment of its creation. */
export function createdAtBounds(comparison: Comparison, literal: Literal): Bounds {
  if (literal.type !== 'instant') return UNKNOWN;
  const instant = literal.value;
  switch (comparison) {
    case '=':
      return exactly(createdWithin({ gte: instant, lte: instant }));
    case '!=':
      return complement(exactly(createdWithin({ gte: instant, lte: instant })));
    case '<':
      return exactly(createdWithin({ lt: instant }));
    case '<=':
      return exactly(createdWithin({ lte: instant }));
    case '>':
      return exactly(createdWithin({ gt: instant }));
    case '>=':
      return exactly(createdWithin({ gte: instant }));
  }
}
