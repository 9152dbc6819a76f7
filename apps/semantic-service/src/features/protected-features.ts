import { type ChangeRequest, type NamedChange } from './feature-change.js';
import { type FeatureRecord } from './feature.js';

/** Whether a model would change what a client wrote. */
export const isProtected = (
  records: readonly FeatureRecord[],
  { origin: { kind } }: Pick<ChangeRequest, 'origin'>,
): boolean => (kind === 'ingestion' || kind === 'consolidation') && records.some(({ byClient }) => byClient);

/** Tells of a change that is not made. An update to what all features say already changes nothing, and is none. */
export function isRefused(
  change: NamedChange,
  records: readonly FeatureRecord[],
  request: Pick<ChangeRequest, 'origin' | 'onRefused'>,
): boolean {
  if (!isProtected(records, request)) return false;
  const isSaid = change.kind === 'update' && records.every(({ value }) => value === change.value);
  if (!isSaid) request.onRefused?.(change, records);
  return !isSaid;
}
