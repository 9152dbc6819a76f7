import { MAX_ANSWER_BYTES, tooLarge } from '@loci/contracts';
import { boundedRow, type RowOf, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { RECORD_COLUMNS, RECORD_ROW, recordBytes, toRecord } from './feature-rows.js';
import { type FeatureRecord } from './feature.js';

/** What a search of all its sets reads at once, more candidates than it answers with, and what is read to be changed. */
export const MAX_READ_BYTES = 2 * MAX_ANSWER_BYTES;

/** The columns of `boundedRecords`. */
export const BOUNDED_RECORD_ROW = boundedRow(RECORD_ROW);

/**
 * A statement that reads features with their citations, by the time of their making: weighed before, and none where they have
 * too many bytes together. A single one is always read.
 * @param condition for rows of `features`
 * @param maxBytes the placeholder of the most bytes
 */
export const boundedRecords = (condition: string, maxBytes: `$${number}`): string => `
SELECT bounded.page_bytes, ${RECORD_COLUMNS} FROM (${withinBytes({
  page: `SELECT set_uid, uid, ${recordBytes('features')} AS bytes FROM ${SCHEMA}.features WHERE ${condition}`,
  columns: 'page.set_uid AS weighed_set, page.uid AS weighed',
  bytes: 'bytes',
  maxBytes,
})}) AS bounded
LEFT JOIN ${SCHEMA}.features ON features.set_uid = weighed_set AND features.uid = weighed
ORDER BY features.created_at, features.uid`;

/** The features of the rows. @throws AppError `body_too_large` when they were too large together to be read */
export function toRecords(
  rows: readonly RowOf<typeof BOUNDED_RECORD_ROW>[],
  maxBytes: number,
): FeatureRecord[] {
  const bytes = rows[0]?.page_bytes ?? 0;
  const found = rows.flatMap((row) => (row.uid === null ? [] : [toRecord({ ...row, uid: row.uid })]));
  if (found.length > 0 || bytes <= maxBytes) return found;
  throw tooLarge(
    'body_too_large',
    `What is to be changed has ${bytes} bytes with all that it cites, more than ${maxBytes}; change fewer features at once.`,
  );
}
