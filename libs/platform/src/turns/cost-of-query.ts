import { type Filter } from '@loci/contracts';
import { costOfFilter } from './cost-of-filter.js';

/** Characters that are read, compared and embedded in the time of a usual search. */
const CHARACTERS = 4_000;

/** How many usual searches it is worth to read a query, about: see `OrganizationTurns`. May be less than one. */
export const costOfReading = (query: string): number => query.length / CHARACTERS;

/** Of a search whose depth costs little. */
export const costOfQuery = ({
  query,
  filter,
}: {
  readonly query: string;
  readonly filter?: Filter | undefined;
}): number => Math.floor(1 + costOfReading(query) + costOfFilter(filter));
