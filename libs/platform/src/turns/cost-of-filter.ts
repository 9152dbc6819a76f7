import { type Filter, type FilterField, type Literal } from '@loci/contracts';

/** Conditions that are tested on the rows of a project in the time of a usual search. */
const CONDITIONS = 16;

/** What it takes to look whether a text is a moment, in comparisons of texts (`npm run bench:fairness`). */
const MOMENT = 3;

/** How many usual searches it is worth to test rows by a filter, about: see `OrganizationTurns`. May be less than one. */
export const costOfFilter = (filter: Filter | undefined): number =>
  filter ? conditionsIn(filter) / CONDITIONS : 0;

/** Rows of a project that are read to be counted keep a processor of the database busy for as long as so many searches. */
const COUNTING = 4;

/** Of a request that counts what matches a filter, or all there is: each row is read, however few match. */
export const costOfCounting = ({ filter }: { readonly filter?: Filter | undefined } = {}): number =>
  Math.floor(COUNTING + costOfFilter(filter));

function conditionsIn(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.args.reduce((sum, arg) => sum + conditionsIn(arg), 0);
    case 'not':
      return conditionsIn(filter.arg);
    case 'compare':
      return isReadAsMoment(filter.field, filter.value) ? MOMENT : 1;
    case 'in':
      return filter.values.some((value) => isReadAsMoment(filter.field, value))
        ? momentsIn(filter.values)
        : 1;
    case 'present':
      return 1;
  }
}

/** Each moment of a list is compared by itself; texts and numbers are looked for together. */
const momentsIn = (values: readonly Literal[]): number =>
  1 + MOMENT * values.filter(({ type }) => type === 'instant').length;

const isReadAsMoment = (field: FilterField, { type }: Literal): boolean =>
  type === 'instant' && field.kind === 'metadata';
