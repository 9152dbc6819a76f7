import { type Dated, type Instant } from '@loci/contracts';

/** What a message, or a client, says of when a feature holds. */
export interface DateStatement extends Dated {
  /** Since when it holds, or the first moment at which it does not hold any more. */
  readonly bound: 'from' | 'until';
  /** The feature by which it was replaced then. */
  readonly supersededBy?: string | undefined;
  /** The message that says so. Without one it is a client who does, and messages do not change it. */
  readonly episodeUid?: string | undefined;
  readonly projectUid?: string | undefined;
  /** When the message was said. */
  readonly saidAt?: Instant | undefined;
  readonly addedAt?: Instant | undefined;
}

/** A message that says something of a feature. */
interface Saying {
  readonly episodeUid: string;
  readonly projectUid: string;
  readonly createdAt: Instant;
  readonly addedAt?: Instant | undefined;
}

/** When a feature holds: from the one moment until just before the other. */
export interface Validity {
  /** Absent: nothing says since when. */
  readonly validFrom?: Dated | undefined;
  /** Absent: nothing says that it ended, or will. */
  readonly validUntil?: Dated | undefined;
  /** The feature by which it was replaced. */
  readonly supersededBy?: string | undefined;
}

/** When a change says that something holds. */
export type StatedValidity = Pick<Validity, 'validFrom' | 'validUntil'>;

/** What all statements come to: those of clients count before those of messages, then what was said last. */
export function validityOf(dates: readonly DateStatement[] = []): Validity {
  const from = latest(dates, 'from');
  const until = latest(dates, 'until');
  return {
    validFrom: from && { at: from.at, precision: from.precision },
    validUntil: until && { at: until.at, precision: until.precision },
    supersededBy: until?.supersededBy,
  };
}

function latest(dates: readonly DateStatement[], bound: DateStatement['bound']): DateStatement | undefined {
  return dates
    .filter((one) => one.bound === bound)
    .reduce<DateStatement | undefined>(
      (best, one) => (best && rank(best) > rank(one) ? best : one),
      undefined,
    );
}

/** Sorts behind every moment that a message can have. */
const BY_CLIENT = '~';

const rank = ({ episodeUid, saidAt }: DateStatement): string =>
  episodeUid === undefined ? BY_CLIENT : (saidAt ?? '');

/** The same statement of each message; of a client when there is none. */
export function stated(
  date: Pick<DateStatement, 'bound' | 'at' | 'precision' | 'supersededBy'>,
  citations: readonly Saying[],
): DateStatement[] {
  if (citations.length === 0) return [date];
  return citations.map(({ episodeUid, projectUid, createdAt, addedAt }) => ({
    ...date,
    episodeUid,
    projectUid,
    saidAt: createdAt,
    addedAt,
  }));
}

/** What a change says of when something holds, as statements of its messages. */
export const statementsOf = (
  { validFrom, validUntil }: StatedValidity,
  citations: readonly Saying[],
): DateStatement[] => [
  ...(validFrom ? stated({ bound: 'from', ...validFrom }, citations) : []),
  ...(validUntil ? stated({ bound: 'until', ...validUntil }, citations) : []),
];

/** All statements; of those of one message, or of clients, about one bound the last. */
export function allDates(
  some: readonly DateStatement[] = [],
  others: readonly DateStatement[] = [],
): readonly DateStatement[] | undefined {
  const byKey = new Map<string, DateStatement>();
  for (const one of [...some, ...others]) {
    const key = `${one.bound} ${one.episodeUid ?? ''}`;
    byKey.delete(key);
    byKey.set(key, one);
  }
  return byKey.size === 0 ? undefined : [...byKey.values()];
}

/** Something of which it is said when it holds. */
export interface Dateable {
  readonly citations: readonly Saying[];
  readonly dates?: readonly DateStatement[] | undefined;
  readonly recordedAt: Instant;
}

/** When the first of its messages was said; without one, when it was stored. */
const firstSaid = ({ citations, recordedAt }: Dateable): Instant =>
  citations.reduce<Instant | undefined>(
    (first, { createdAt }) => (first === undefined || createdAt < first ? createdAt : first),
    undefined,
  ) ?? recordedAt;

/**
 * Since when a feature counts: as stated, else since it was first said; undefined for what ended before that, with nothing
 * that tells when it began.
 */
export function startOf(record: Dateable): Instant | undefined {
  const { validFrom, validUntil } = validityOf(record.dates);
  if (validFrom) return validFrom.at;
  const said = firstSaid(record);
  return validUntil && validUntil.at <= said ? undefined : said;
}

/** Whether there is a moment at which it holds, as far as statements say. */
export function holdsEver(dates: readonly DateStatement[] | undefined): boolean {
  const { validFrom, validUntil } = validityOf(dates);
  return !validFrom || !validUntil || validFrom.at < validUntil.at;
}

/** Whether it holds no more at this moment. */
export function isEnded({ dates }: Pick<Dateable, 'dates'>, now: Instant): boolean {
  const { validUntil } = validityOf(dates);
  return validUntil !== undefined && validUntil.at <= now;
}

/** Whether there is a moment at which both hold. */
export function overlap(a: Dateable, b: Dateable): boolean {
  const begins = (one: Dateable): string => startOf(one) ?? '';
  const ends = (one: Dateable): string => validityOf(one.dates).validUntil?.at ?? BY_CLIENT;
  return begins(a) < ends(b) && begins(b) < ends(a);
}

/** How much of an instant says as much as is known. */
export const KNOWN_CHARS = { year: 4, month: 7, day: 10, time: 27 } as const;

/**
 * Whether one feature can say when both hold, and nothing is lost: neither is said to begin after the other held, they end at
 * one moment where both are said to end, and there is a moment at which both hold.
 */
export const isOfOneTime = (a: Dateable, b: Dateable): boolean =>
  overlap(a, b) && beginAlike(a, b) && endAlike(a, b);

function beginAlike(a: Dateable, b: Dateable): boolean {
  const [one, other] = [validityOf(a.dates).validFrom, validityOf(b.dates).validFrom];
  if (one && other) {
    const known = Math.min(KNOWN_CHARS[one.precision], KNOWN_CHARS[other.precision]);
    return one.at.slice(0, known) === other.at.slice(0, known);
  }
  const begins = one ?? other;
  if (!begins) return true;
  const start = startOf(one ? b : a);
  return start === undefined || begins.at <= start;
}

function endAlike(a: Dateable, b: Dateable): boolean {
  const [one, other] = [validityOf(a.dates).validUntil, validityOf(b.dates).validUntil];
  return !one || !other || one.at === other.at;
}
