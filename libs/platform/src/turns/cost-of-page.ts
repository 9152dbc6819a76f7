import { type Filter } from '@loci/contracts';
import { costOfFilter } from './cost-of-filter.js';

/** Rows of some kB that are read, written out and read again in the time of a usual search. */
const ROWS = 125;

/** How many usual searches it is worth to read so many rows, about. May be less than one. */
export const costOfRows = (count: number): number => count / ROWS;

/** How many usual searches a page of a list is worth, about: see `OrganizationTurns`. All rows are tested by its filter. */
export const costOfPage = ({
  pageSize,
  filter,
}: {
  readonly pageSize: number;
  readonly filter?: Filter | undefined;
}): number => Math.max(1, Math.floor(costOfRows(pageSize) + costOfFilter(filter)));

/** Of a page of an export or of a history, which has up to 1 MiB of text whatever it has. */
export const costOfExportPage = (): number => 4;
