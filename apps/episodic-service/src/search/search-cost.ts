import { type SearchEpisodesRequest } from '@loci/contracts';

/** Hits for which a search looks no deeper than for one. */
const HITS = 50;

/** Neighbours that are looked for in the time of a usual search. */
const NEIGHBOURS = 500;

/** Characters that are read, compared and embedded in the time of a usual search. */
const CHARACTERS = 4_000;

/** How many usual searches a search is worth, about: those of an organization share turns by it. */
export function costOfSearch({ query, topK, expandContext, explain }: SearchEpisodesRequest): number {
  const depth = Math.max(1, topK / HITS);
  const explanations = explain ? topK / HITS : 0;
  const neighbours = (topK * Math.min(expandContext, topK - 1)) / NEIGHBOURS;
  return Math.max(1, Math.floor(depth + explanations + neighbours + query.length / CHARACTERS));
}
