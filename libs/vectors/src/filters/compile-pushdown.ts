import {
  type Comparison,
  type Filter,
  type FilterField,
  type Literal,
  type SystemField,
} from '@loci/contracts';
import { type PushdownFilter } from '../vector-index.js';
import { attributeBounds, attributePresence } from './attribute-bounds.js';
import { allBounds, anyBounds, type Bounds, complement, exactly, isExact, UNKNOWN } from './bounds.js';
import { toQdrantFilter } from './condition.js';
import { createdAtBounds, uidBounds } from './own-field-bounds.js';

/** Qdrant refuses JSON that is nested deeper than 128; a level of a filter takes two. */
const MAX_DEPTH = 32;

/**
 * What the index can do of a filter. It keeps every point that the filter keeps, and no other when `exact`:
 * equality of texts, IN over texts, presence, ranges of `created_at`, equality of `uid`, and AND, OR, NOT over
 * these are exact; any other comparison keeps all points that have the key.
 * @param carried the system fields that points have in `payload.fields` whenever they have a value for them;
 *   nothing is assumed of others, except that `uid` is the id and `created_at` is there
 */
export function compilePushdown(filter: Filter, carried: ReadonlySet<SystemField>): PushdownFilter {
  const bounds = boundsOf(filter, carried, 0);
  const narrowed = toQdrantFilter(bounds.upper);
  return { exact: isExact(bounds), ...(narrowed && { filter: narrowed }) };
}

function boundsOf(filter: Filter, carried: ReadonlySet<SystemField>, depth: number): Bounds {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const inner = (arg: Filter): Bounds => boundsOf(arg, carried, depth + 1);
  switch (filter.op) {
    case 'and':
      return allBounds(filter.args.map(inner));
    case 'or':
      return anyBounds(filter.args.map(inner));
    case 'not':
      return complement(inner(filter.arg));
    case 'compare':
      return comparisonBounds(filter.field, filter.comparison, filter.value, carried);
    case 'in':
      return anyBounds(filter.values.map((value) => comparisonBounds(filter.field, '=', value, carried)));
    case 'present':
      return presenceBounds(filter.field, carried);
  }
}

function comparisonBounds(
  field: FilterField,
  comparison: Comparison,
  literal: Literal,
  carried: ReadonlySet<SystemField>,
): Bounds {
  if (field.kind === 'metadata') return attributeBounds('metadata', field.key, comparison, literal);
  if (field.name === 'uid') return uidBounds(comparison, literal);
  if (field.name === 'created_at') return createdAtBounds(comparison, literal);
  return carried.has(field.name) ? attributeBounds('field', field.name, comparison, literal) : UNKNOWN;
}

function presenceBounds(field: FilterField, carried: ReadonlySet<SystemField>): Bounds {
  if (field.kind === 'metadata') return attributePresence('metadata', field.key);
  if (field.name === 'uid' || field.name === 'created_at') return exactly(true);
  return carried.has(field.name) ? attributePresence('field', field.name) : UNKNOWN;
}
