import { type ChangeRequest, type NamedChange } from './feature-change.js';
import { type FeatureRecord } from './feature.js';
import { isHearsay } from './message-user.js';
import { allDates, holdsEver, statementsOf, validityOf } from './validity.js';

/** Whether a model would change what a client wrote. */
export const isProtected = (
  records: readonly FeatureRecord[],
  { origin: { kind } }: Pick<ChangeRequest, 'origin'>,
): boolean => (kind === 'ingestion' || kind === 'consolidation') && records.some(({ byClient }) => byClient);

/**
 * Whether a feature stays what it is, and what becomes one with it only supports it: a client wrote it, and not the other one;
 * or the user said it, of whom the other one is hearsay.
 */
export const outranks = (one: FeatureRecord, other: FeatureRecord): boolean =>
  (one.byClient && !other.byClient) || (isHearsay(other) && !isHearsay(one));

/** Tells of a change that is not made. An update to what all features say already, and of no new end, only confirms them. */
export function isRefused(
  change: NamedChange,
  records: readonly FeatureRecord[],
  request: Pick<ChangeRequest, 'origin' | 'onRefused'>,
): boolean {
  if (!isProtected(records, request)) return false;
  const isSaid =
    change.kind === 'update' && records.every((one) => one.value === change.value && !isEndedBy(one, change));
  if (!isSaid) request.onRefused?.(change, records);
  return !isSaid;
}

/** Whether a change says of a feature that it ends at another moment than is known: answers would leave it out from then on. */
const isEndedBy = (
  { dates }: FeatureRecord,
  { citations, ...said }: Extract<NamedChange, { kind: 'update' }>,
): boolean =>
  said.validUntil !== undefined &&
  validityOf(dates).validUntil?.at !== said.validUntil.at &&
  // of a time before it began, it is another one
  holdsEver(allDates(dates, statementsOf(said, citations)));
