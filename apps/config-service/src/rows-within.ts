import { type AccessBounds } from '@loci/contracts';
import { ROWS_OF_ALL, type RowScope, rowsOf } from '@loci/persistence';

/** The rows that bounds show: those of an organization, or all of them without one. */
export const rowsWithin = ({ orgId }: AccessBounds): RowScope =>
  orgId === undefined ? ROWS_OF_ALL : rowsOf(orgId);
