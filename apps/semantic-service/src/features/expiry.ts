import { type Instant } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';
import { type FeatureRecord } from './feature.js';
import { allDates, startOf } from './validity.js';

/** The last moment that answers can show. */
const END = `'9999-12-31T23:59:59Z'::timestamptz`;

/** The time to live of the category of a feature: that of its set before a template; NULL: it holds on. @param row with `set_uid` and `category` */
const ttlOf = (row: string): string => `(
  SELECT ttl_seconds FROM (
    SELECT 1 AS distance, own.ttl_seconds FROM ${SCHEMA}.categories own
    WHERE own.set_uid = ${row}.set_uid AND own.set_type_uid IS NULL AND md5(own.name) = md5(${row}.category)
    UNION ALL
    SELECT 2, inherited.ttl_seconds FROM ${SCHEMA}.sets JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
    JOIN ${SCHEMA}.categories inherited ON inherited.set_type_uid = set_types.uid AND inherited.name = ${row}.category
    WHERE sets.uid = ${row}.set_uid
  ) AS found ORDER BY distance LIMIT 1)`;

/**
 * When a feature expires; NULL: never.
 * @param row as of `ttlOf`
 * @param saidAt SQL of when it was last said
 */
export const expiresAt = (row: string, saidAt: string): string => `(
  SELECT least(${saidAt} + make_interval(secs => ttl.seconds), ${END}) FROM (SELECT ${ttlOf(row)} AS seconds) AS ttl
  WHERE ttl.seconds IS NOT NULL)`;

/** When the last of its messages was said; of what a client wrote, or nothing supports, when it was stored, if that was later. */
export function lastSaidOf({ citations, byClient, recordedAt }: FeatureRecord): Instant {
  const moments = citations.map(({ createdAt }) => createdAt);
  if (byClient || moments.length === 0) moments.push(recordedAt);
  return moments.reduce((last, moment) => (moment > last ? moment : last));
}

/**
 * A feature that a client says again: where it expires, it counts from that moment. Since when it held stays, stated as what it was
 * where nothing but its storing told.
 */
export function saidAgain(record: FeatureRecord, moment: Instant): FeatureRecord {
  if (record.expiresAt === undefined || moment <= record.recordedAt) return record;
  const start = startOf({ ...record, recordedAt: moment }) === moment ? startOf(record) : undefined;
  const since = start === undefined ? [] : [{ bound: 'from', at: start, precision: 'time' } as const];
  return { ...record, recordedAt: moment, dates: allDates(since, record.dates) };
}
