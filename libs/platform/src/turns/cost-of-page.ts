/** Rows of some kB that are read, written out and read again in the time of a usual search. */
const ROWS = 125;

/** How many usual searches a page of a list is worth, about: see `OrganizationTurns`. */
export const costOfPage = ({ pageSize }: { readonly pageSize: number }): number =>
  Math.max(1, Math.floor(pageSize / ROWS));

/** Of a page of an export, which has 1 MiB of text whatever it has. */
export const costOfExportPage = (): number => 4;
