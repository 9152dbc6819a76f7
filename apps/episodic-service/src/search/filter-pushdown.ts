import { type Filter } from '@loci/contracts';
import { compilePushdown, type PushdownFilter } from '@loci/vectors';
import { POINT_FIELDS } from '../indexing/episode-points.js';

const compiled = new WeakMap<Filter, PushdownFilter>();

/** What the index can decide of the filter of a search: compiled once, for the turns of the search and for the search. */
export function pushdownOf(filter: Filter): PushdownFilter {
  const known = compiled.get(filter);
  if (known) return known;
  const pushdown = compilePushdown(filter, POINT_FIELDS);
  compiled.set(filter, pushdown);
  return pushdown;
}
