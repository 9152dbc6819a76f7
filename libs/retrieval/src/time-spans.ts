import { en, type ParsedResult } from 'chrono-node';

/** A stretch of time: `fromMs` belongs to it, `untilMs` does not. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

const DAY_MS = 86_400_000;

/** Longer queries are read up to here: a date further in is rare, and reading costs time. */
const MAX_CHARACTERS = 500;

/** What reads like a time but asks for none, or is an everyday word when written small. */
const NO_TIME = /^(?:now|right now|may|march|mar|sat|sun|wed|dec|jan|second|sec)$/;

const YEAR = /\b(?:19|20)\d{2}\b/g;

/**
 * The times that an English query names ("on 7 May 2023", "last May", "two weeks ago"), in UTC. People speak of a day
 * on the next one too, and of a week or a month a while later: every span is lengthened by that.
 * @param referenceMs what "ago" and "last" are relative to
 */
export function timeSpansIn(query: string, referenceMs: number): TimeSpan[] {
  const read = query.slice(0, MAX_CHARACTERS);
  if (!/\d|day|week|month|year|night|morning|ago|[A-Z]?[a-z]{2}/.test(read)) return [];
  const named = en.casual
    .parse(read, { instant: new Date(referenceMs), timezone: 0 })
    .filter(({ text }) => !NO_TIME.test(text))
    .map(spanOf);
  if (named.length > 0) return named;
  return [...read.matchAll(YEAR)].map(([year]) => yearOf(Number(year)));
}

export const isWithin = (atMs: number, spans: readonly TimeSpan[]): boolean =>
  spans.some(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs);

function spanOf({ text, start, end }: ParsedResult): TimeSpan {
  const first = unitAround(text, start);
  const last = end ? unitAround(text, end) : first;
  return { fromMs: first.fromMs, untilMs: Math.max(first.untilMs, last.untilMs) };
}

/** The day, week, month or year that is meant, whichever is the smallest that the text says. */
function unitAround(text: string, moment: ParsedResult['start']): TimeSpan {
  const date = moment.date();
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

const monthOf = (year: number, month: number): TimeSpan => ({
  fromMs: Date.UTC(year, month, 1),
  untilMs: Date.UTC(year, month + 1, 1) + 7 * DAY_MS,
});

const yearOf = (year: number): TimeSpan => ({
  fromMs: Date.UTC(year, 0, 1),
  untilMs: Date.UTC(year + 1, 0, 1) + 7 * DAY_MS,
});
