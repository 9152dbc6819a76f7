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
import { hasId, toQdrantFilter } from './condition.js';
import { createdAtBounds, uidBounds } from './own-field-bounds.js';

/** The fields of points, besides their id and the moment of their creation. */
export interface PointFields {
  /** System fields that are in `payload.fields` whenever they have a value; nothing is assumed of others. */
  readonly fields: ReadonlySet<SystemField>;
  /** Whether `payload.metadata` is all that a test of metadata can be about. */
  readonly metadata: boolean;
}

/** Qdrant refuses JSON that is nested deeper than 128; a level of a filter takes two. */
const MAX_DEPTH = 32;

/**
 * What the index can do of a filter. It keeps every point that the filter keeps, and no other when `exact`:
 * equality of texts, IN over texts, presence, ranges of `created_at`, equality of `uid`, and AND, OR, NOT over
 * these are exact; any other comparison keeps all points that have the key. A field that points do not have narrows
 * nothing.
 */
export function compilePushdown(filter: Filter, points: PointFields): PushdownFilter {
  const bounds = boundsOf(filter, points, 0);
  const narrowed = toQdrantFilter(bounds.upper);
  return { exact: isExact(bounds), ...(narrowed && { filter: narrowed }) };
}

/** Exactly the points of these ids. */
export const onlyIds = (ids: readonly string[]): PushdownFilter => ({
  exact: true,
  filter: { must: [hasId(ids)] },
});

function boundsOf(filter: Filter, points: PointFields, depth: number): Bounds {
  if (depth > MAX_DEPTH) return UNKNOWN;
  const inner = (arg: Filter): Bounds => boundsOf(arg, points, depth + 1);
  switch (filter.op) {
    case 'and':
      return allBounds(filter.args.map(inner));
    case 'or':
      return anyBounds(filter.args.map(inner));
    case 'not':
      return complement(inner(filter.arg));
    case 'compare':
      return comparisonBounds(filter.field, filter.comparison, filter.value, points);
    case 'in':
      return anyBounds(filter.values.map((value) => comparisonBounds(filter.field, '=', value, points)));
    case 'present':
      return presenceBounds(filter.field, points);
  }
}

function comparisonBounds(
  field: FilterField,
  comparison: Comparison,
  literal: Literal,
  points: PointFields,
): Bounds {
  if (field.kind === 'metadata') {
    return points.metadata ? attributeBounds('metadata', field.key, comparison, literal) : UNKNOWN;
  }
  if (field.name === 'uid') return uidBounds(comparison, literal);
  if (field.name === 'created_at') return createdAtBounds(comparison, literal);
  return points.fields.has(field.name) ? attributeBounds('field', field.name, comparison, literal) : UNKNOWN;
}

function presenceBounds(field: FilterField, points: PointFields): Bounds {
  if (field.kind === 'metadata') {
    return points.metadata ? attributePresence('metadata', field.key) : UNKNOWN;
  }
  if (field.name === 'uid' || field.name === 'created_at') return exactly(true);
  return points.fields.has(field.name) ? attributePresence('field', field.name) : UNKNOWN;
}
