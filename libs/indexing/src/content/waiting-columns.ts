/**
 * What `WaitingContent` tells of rows that wait, as columns: how many there are (`waiting_count`), and how many bytes the texts
 * before a row have (`bytes_before`).
 * @param text the column whose bytes count
 * @param order the sequence of the rows, as in ORDER BY
 */
export const waitingColumns = (text: string, order: string): string =>
  `count(*) OVER ()::int AS waiting_count,
   sum(octet_length(${text})) OVER (ORDER BY ${order}) - octet_length(${text}) AS bytes_before`;
