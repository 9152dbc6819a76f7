import { type FeatureOrigin, type FeatureTrust } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { type ChangeOrigin, type FeatureState } from './feature.js';

/** A change that the client of the current request asks for. */
export const byClient = (): ChangeOrigin => ({
  kind: 'client',
  author: RequestContext.current()?.author,
  episodes: [],
});

/** Where a feature comes from that a change words. Taking a change back brings the former origin back with the state. */
export function featureOrigin({ kind, author, model }: ChangeOrigin): FeatureOrigin {
  return { kind: kind === 'undo' ? 'client' : kind, author, model };
}

/** What an older version wrote says only whether a client had a hand in it. */
export const originOf = (origin: FeatureOrigin | null | undefined, isByClient: boolean): FeatureOrigin =>
  origin ?? { kind: isByClient ? 'client' : 'ingestion' };

export function trustOf({
  byClient: isByClient,
  isTrusted,
}: Pick<FeatureState, 'byClient' | 'isTrusted'>): FeatureTrust {
  if (isByClient) return 'protected';
  return isTrusted ? 'trusted' : 'untrusted';
}

/** The same as an SQL expression over rows of `features`. */
export const TRUST_SQL = `CASE WHEN features.by_client THEN 'protected' WHEN features.is_trusted THEN 'trusted'
  ELSE 'untrusted' END`;
