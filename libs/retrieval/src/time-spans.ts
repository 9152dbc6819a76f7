import { en, type ParsedResult } from 'chrono-node';

/** A stretch of time: `fromMs` belongs to it, `untilMs` does not. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

const DAY_MS = 86_400_000;

/** Longer queries are read up to here: a date further in is rare, and reading costs time. */
const MAX_CHARACTERS = 500;

/** What reads like a time but asks for none. */
const NO_TIME = /^(?:now|right now|march|mar|sat|sun|wed|dec|jan|sec)$/;

/** The library leaves a bare "May" alone, since it is mostly a verb; after these words it is a month. */
const BARE_MAY = /\b(?:in|last|of|since|during|until|early|late|mid|this) May\b(?! \d)/g;

const YEAR = /\b(?:19|20)\d{2}\b/g;

const DATE_PARTS = ['day', 'weekday', 'month', 'year'] as const;

/**
 * The times that an English query names ("on 7 May 2023", "last May", "two weeks ago"), in UTC. People speak of a day
 * on the next one too, and of a week or a month a while later: every span is lengthened by that.
 * @param referenceMs what "ago" and "last" are relative to
 */
export function timeSpansIn(query: string, referenceMs: number): TimeSpan[] {
  const read = query.slice(0, MAX_CHARACTERS);
  const named = en.casual
    .parse(read, { instant: new Date(referenceMs), timezone: 0 })
    .filter(({ text, start }) => !NO_TIME.test(text) && DATE_PARTS.some((part) => start.isCertain(part)))
    .map((result) => spanOf(result, referenceMs));
  const mays = [...read.matchAll(BARE_MAY)].map(() => monthBefore(MAY, referenceMs));
  if (named.length + mays.length > 0) return [...named, ...mays];
  return [...read.matchAll(YEAR)].map(([year]) => yearOf(Number(year)));
}

export const isWithin = (atMs: number, spans: readonly TimeSpan[]): boolean =>
  spans.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs);

function spanOf({ text, start, end }: ParsedResult, referenceMs: number): TimeSpan {
  const first = unitAround(text, start, referenceMs);
  const last = end ? unitAround(text, end, referenceMs) : first;
  return { fromMs: first.fromMs, untilMs: Math.max(first.untilMs, last.untilMs) };
}

/** The day, week, month or year that is meant, whichever is the smallest that the text says. */
function unitAround(text: string, moment: ParsedResult['start'], referenceMs: number): TimeSpan {
  const date = pastOf(moment, referenceMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const dayMs = Date.UTC(year, month, date.getUTCDate());
  const isRelative = /ago|last|past|this|previous|next/i.test(text);
  const saysDay = moment.isCertain('day') || moment.isCertain('weekday');
  if (isRelative && /year/i.test(text)) return yearOf(year);
  if (isRelative && /month/i.test(text)) return monthOf(year, month);
  if (isRelative && /week/i.test(text)) return { fromMs: dayMs - 4 * DAY_MS, untilMs: dayMs + 7 * DAY_MS };
  if (!saysDay && moment.isCertain('month')) return monthOf(year, month);
  if (!saysDay && moment.isCertain('year')) return yearOf(year);
  return { fromMs: dayMs, untilMs: dayMs + 2 * DAY_MS };
}

/** Memories are of the past: a month or weekday without a year is the last one. */
function pastOf(moment: ParsedResult['start'], referenceMs: number): Date {
  const date = moment.date();
  if (date.getTime() <= referenceMs || moment.isCertain('year')) return date;
  if (moment.isCertain('month')) date.setUTCFullYear(date.getUTCFullYear() - 1);
  else if (moment.isCertain('weekday')) date.setUTCDate(date.getUTCDate() - 7);
  return date;
}

const MAY = 4;

/** The last one that has begun. */
function monthBefore(month: number, referenceMs: number): TimeSpan {
  const year = new Date(referenceMs).getUTCFullYear();
  return monthOf(Date.UTC(year, month, 1) > referenceMs ? year - 1 : year, month);
}

const monthOf = (year: number, month: number): TimeSpan => ({
  fromMs: Date.UTC(year, month, 1),
  untilMs: Date.UTC(year, month + 1, 1) + 7 * DAY_MS,
});

const yearOf = (year: number): TimeSpan => ({
  fromMs: Date.UTC(year, 0, 1),
  untilMs: Date.UTC(year + 1, 0, 1) + 7 * DAY_MS,
});
