import { type Filter, type SearchEpisodesRequest } from '@loci/contracts';
import { costOfFilter, costOfReading } from '@loci/platform';
import { pushdownOf } from './filter-pushdown.js';

/** Hits for which a search looks no deeper than for one. */
const HITS = 50;

/** Neighbours that are looked for in the time of a usual search. */
const NEIGHBOURS = 500;

/** What it takes, in usual searches, to test many candidates in the tables because the index cannot decide a filter. */
const UNDECIDED = 2;

/** How many usual searches a search is worth, about: those of an organization share turns by it. */
export function costOfSearch(request: SearchEpisodesRequest): number {
  const { query, filter, topK, expandContext, explain } = request;
  const depth = Math.max(1, topK / HITS);
  const explanations = explain ? topK / HITS : 0;
  const neighbours = (topK * Math.min(expandContext, topK - 1)) / NEIGHBOURS;
  const reading = costOfReading(query);
  const testing = filter ? costOfTesting(filter) : 0;
  return Math.max(1, Math.floor(depth + explanations + neighbours + reading + testing));
}

const costOfTesting = (filter: Filter): number =>
  costOfFilter(filter) + (pushdownOf(filter).exact ? 0 : UNDECIDED);
