import { type Dated, datedFromIso } from '@loci/contracts';
import { parsed, Unreadable } from '@loci/platform/schema';

const NO_DATE = Unreadable.as({
  type: 'date_parsing',
  msg: 'Input should be a date as exactly as it is known: 2024, 2024-03, 2024-03-15, or ISO 8601 with a time, in the years 1 to 9999',
});

/** A moment as exactly as it is known: the form of the text says how exactly. */
export const dated = parsed<Dated>(
  {
    type: 'string',
    description:
      '`2024`, `2024-03`, `2024-03-15`, or ISO 8601 with a time; UTC when it names no offset. Of a year, a month or a day the first moment is meant.',
  },
  (value) => (typeof value === 'string' ? (datedFromIso(value) ?? NO_DATE) : NO_DATE),
);
