import { IsIn, Matches } from 'class-validator';
import { INSTANT, type Instant, instantFromIso } from './instant.js';

/** How exactly a moment is known. */
export const DATE_PRECISIONS = ['year', 'month', 'day', 'time'] as const;
export type DatePrecision = (typeof DATE_PRECISIONS)[number];

/** A moment, as exactly as it is known: of a year, a month or a day the first moment, in UTC. */
export class Dated {
  @Matches(INSTANT)
  readonly at!: Instant;

  @IsIn(DATE_PRECISIONS)
  readonly precision!: DatePrecision;
}

const PARTIAL_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * Reads `2024`, `2024-03`, `2024-03-15`, or ISO 8601 with a time: its form says how exactly the moment is known.
 * @returns undefined when the text is no such date, or names a day that does not exist
 */
export function datedFromIso(text: string): Dated | undefined {
  const parts = PARTIAL_DATE.exec(text);
  const [, year, month, day] = parts ?? [];
  const at = instantFromIso(parts ? `${year}-${month ?? '01'}-${day ?? '01'}` : text);
  if (!at) return undefined;
  if (!parts) return { at, precision: 'time' };
  if (day !== undefined) return { at, precision: 'day' };
  return { at, precision: month === undefined ? 'year' : 'month' };
}

/**
 * What "until" a date means: the first moment behind the year, month or day; a time stays as it is.
 * @returns undefined behind the year 9999
 */
export function behind({ at, precision }: Dated): Dated | undefined {
  if (precision === 'time') return { at, precision };
  const next = new Date(at);
  if (precision === 'year') next.setUTCFullYear(next.getUTCFullYear() + 1);
  if (precision === 'month') next.setUTCMonth(next.getUTCMonth() + 1);
  if (precision === 'day') next.setUTCDate(next.getUTCDate() + 1);
  const moment = instantFromIso(next.toISOString());
  return moment && { at: moment, precision };
}
