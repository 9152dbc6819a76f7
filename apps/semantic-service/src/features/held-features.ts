import { type Instant, type ValidityState } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { type Predicate } from './feature-filter.js';
import { IS_EXPIRED, IS_GOING_ON, IS_NOT_ENDED } from './feature-conditions.js';
import { RECORDED_AT } from './feature-rows.js';

/** Features of which time are read: those that held at a moment, or those in a state now. Default: `current`. */
export interface ReadTime {
  readonly asOf?: Instant | undefined;
  readonly validity?: ValidityState | undefined;
}

/** When the first of the messages that support a feature was said; without one, when it was stored. */
const FIRST_SAID = `coalesce(
  (SELECT min(created_at) FROM ${SCHEMA}.citations
   WHERE citations.set_uid = features.set_uid AND citations.feature_uid = features.uid), ${RECORDED_AT})`;

/** The same as `startOf`: whether something that ended before it was first said, and nothing else, has no beginning. */
const STARTED = (
  moment: string,
): string => `CASE WHEN features.valid_from IS NOT NULL THEN features.valid_from <= ${moment}
  ELSE ${FIRST_SAID} <= ${moment} OR features.valid_until <= ${FIRST_SAID} END`;

/** The features of a time, as a predicate over rows of `features`, parameters numbered from `firstParameter`. */
export function held({ asOf, validity = 'current' }: ReadTime, firstParameter: number): Predicate {
  if (asOf !== undefined) {
    const moment = `$${firstParameter}::timestamptz`;
    const isBefore = `(features.valid_until IS NULL OR features.valid_until > ${moment})`;
    const isKept = `(features.expires_at IS NULL OR features.expires_at > ${moment})`;
    return { sql: `(${isBefore} AND ${isKept} AND ${STARTED(moment)})`, parameters: [asOf] };
  }
  return { sql: OF_STATE[validity], parameters: [] };
}

const OF_STATE: Readonly<Record<ValidityState, string>> = {
  current: IS_GOING_ON,
  ended: `(NOT ${IS_NOT_ENDED})`,
  expired: `(${IS_NOT_ENDED} AND ${IS_EXPIRED})`,
  all: 'TRUE',
};
