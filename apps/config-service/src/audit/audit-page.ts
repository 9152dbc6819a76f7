import { type AuditPage, type AuditRecord } from '@loci/contracts';

/** Half of what a message holds. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The first of these records that one answer holds.
 * @param found one more than the page may have, if there are as many
 * @param limit records on the page at most
 */
export function auditPage(found: readonly AuditRecord[], limit: number): AuditPage {
  let bytes = 0;
  const tooMany = found.findIndex((record, place) => {
    bytes += Buffer.byteLength(JSON.stringify(record));
    return place === limit || (bytes > MAX_PAGE_BYTES && place > 0);
  });
  if (tooMany === -1) return { records: [...found] };
  const records = found.slice(0, tooMany);
  return { records, next: records.at(-1)?.id };
}
