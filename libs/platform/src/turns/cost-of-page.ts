import { type Filter } from '@loci/contracts';
import { costOfFilter } from './cost-of-filter.js';

/** Rows of some kB that are read, written out and read again in the time of a usual search. */
const ROWS = 125;

/** How many usual searches a page of a list is worth, about: see `OrganizationTurns`. All rows are tested by its filter. */
export const costOfPage = ({
  pageSize,
  filter,
}: {
  readonly pageSize: number;
  readonly filter?: Filter | undefined;
}): number => Math.max(1, Math.floor(pageSize / ROWS + costOfFilter(filter)));

/** Of a page of an export or of a history, which has up to 1 MiB of text whatever it has. */
export const costOfExportPage = (): number => 4;
