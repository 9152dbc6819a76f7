import { type Filter } from '@loci/contracts';
import { costOfFilter } from './cost-of-filter.js';
import { costOfRows } from './cost-of-page.js';

/** Characters that are read, compared and embedded in the time of a usual search. */
const CHARACTERS = 4_000;

/** How many usual searches it is worth to read a query, about: see `OrganizationTurns`. May be less than one. */
export const costOfReading = (query: string): number => query.length / CHARACTERS;

/** Of a search of which only what it answers with is read whole: as many rows as a page. */
export const costOfQuery = ({
  query,
  topK,
  filter,
}: {
  readonly query: string;
  readonly topK: number;
  readonly filter?: Filter | undefined;
}): number => Math.floor(1 + costOfReading(query) + costOfFilter(filter) + costOfRows(topK));
