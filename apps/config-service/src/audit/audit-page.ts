import { type AuditPage, type AuditRecord } from '@loci/contracts';

/** Half of the largest message. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The first of these records, as many as fit into one answer.
 * @param found one more than the page may have, if there are as many
 * @param limit records on the page at most
 */
export function auditPage(found: readonly AuditRecord[], limit: number): AuditPage {
  let bytes = 0;
  const tooMany = found.findIndex((record, index) => {
    bytes += Buffer.byteLength(JSON.stringify(record));
    return index === limit || (bytes > MAX_PAGE_BYTES && index > 0);
  });
  if (tooMany === -1) return { records: [...found] };
  const records = found.slice(0, tooMany);
  return { records, next: records.at(-1)?.id };
}
