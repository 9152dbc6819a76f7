import { type Dated, datedFromIso } from '@loci/contracts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 7;

/** `2024-W10`, or a day of it, `2024-W10-3`; the hyphens may be missing, as ISO 8601 has it. */
const WEEK = /^(?<year>\d{4})-?W(?<week>\d{2})(?:-?(?<day>[1-7]))?$/i;

/** Some days in a row. */
export interface Week {
  readonly first: Dated;
  readonly last: Dated;
}

/**
 * Reads a week of ISO 8601, from its Monday to its Sunday, or a day that is named by its week.
 * @returns undefined when the text is none, or there is no such week
 */
export function weekFromIso(text: string): Week | undefined {
  const { year, week, day } = WEEK.exec(text)?.groups ?? {};
  if (year === undefined || week === undefined) return undefined;
  const number = Number(week);
  const monday = mondayOf(Number(year), number);
  // the Thursday of a week is in the year to which the week belongs
  if (number < 1 || number > 53 || dayFrom(monday, 3).getUTCFullYear() !== Number(year)) return undefined;
  const first = dated(dayFrom(monday, day === undefined ? 0 : Number(day) - 1));
  const last = dated(dayFrom(monday, day === undefined ? DAYS - 1 : Number(day) - 1));
  return first && last && { first, last };
}

/** The fourth of January is always in the first week. */
function mondayOf(year: number, week: number): Date {
  const fourth = new Date(`${String(year).padStart(4, '0')}-01-04T00:00:00Z`);
  const sinceMonday = (fourth.getUTCDay() + DAYS - 1) % DAYS;
  return dayFrom(fourth, (week - 1) * DAYS - sinceMonday);
}

const dayFrom = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS);

/** Undefined outside of the years that there are dates of. */
const dated = (date: Date): Dated | undefined => datedFromIso(date.toISOString().replace(/T.*/, ''));
