import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestDatabase } from '@loci/testing';
import { firstRows, firstWithinBytes } from './first-within-bytes.js';

interface Row {
  readonly n: number;
  readonly content: string;
  readonly page_rows: number;
}

/** Of each row. */
const BYTES = 1_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await TestDatabase.create();
  await database.query('CREATE TABLE texts (n int, content text)');
  await database.query(`INSERT INTO texts SELECT n, repeat('x', ${BYTES}) FROM generate_series(1, 9) AS n`);
});

afterAll(() => database.drop());

const read = (limit: number, maxBytes: number): Promise<Row[]> =>
  database.query<Row>(
    firstWithinBytes({
      page: 'SELECT * FROM texts ORDER BY n LIMIT $1',
      columns: 'n, content, page_rows',
      bytes: 'octet_length(content)',
      order: ['n'],
      maxBytes: '$2',
    }),
    [limit, maxBytes],
  );

const numbers = (rows: readonly Row[]): number[] => rows.map(({ n }) => n);

test('of rows that do not fit the first ones are read, as many as fit, and how many there are is known', async () => {
  const rows = await read(9, 3 * BYTES);
  expect(numbers(rows)).toEqual([1, 2, 3]);
  expect(firstRows(rows, { limit: 8, maxBytes: 9 * BYTES })).toEqual({ rows, hasMore: true });
});

test('a first row is read whatever its size, and no row is no row', async () => {
  expect(numbers(await read(2, 1))).toEqual([1]);
  expect(firstRows(await read(2, 1), { limit: 1, maxBytes: 1 })).toMatchObject({ hasMore: true });
  expect(firstRows(await read(0, 1), { limit: 1, maxBytes: 1 })).toEqual({ rows: [], hasMore: false });
});

test('the row beyond the limit only says that there are more', async () => {
  const all = { maxBytes: 99 * BYTES };
  const within = firstRows(await read(4, all.maxBytes), { ...all, limit: 3 });
  expect([numbers(within.rows), within.hasMore]).toEqual([[1, 2, 3], true]);
  const last = firstRows(await read(10, all.maxBytes), { ...all, limit: 9 });
  expect([last.rows.length, last.hasMore]).toEqual([9, false]);
});

test('texts that grow as JSON are counted by what they grow to', () => {
  const rows = [1, 2, 3].map((n) => ({ n, content: '\u0001'.repeat(BYTES), page_rows: 3 }));
  const { rows: fitting, hasMore } = firstRows(rows, { limit: 3, maxBytes: 13 * BYTES });
  expect([numbers(fitting), hasMore]).toEqual([[1, 2], true]);
});
