import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@loci/contracts';
import { TestDatabase } from '@loci/testing';
import { rowsWithin, withinBytes } from './within-bytes.js';

type Row = ({ readonly uid: string; readonly content: string } | { readonly uid: null }) & {
  readonly page_bytes: number;
};

/** Of each row. */
const BYTES = 1_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await TestDatabase.create();
  await database.query('CREATE TABLE texts (uid text, content text)');
  await database.query(
    `INSERT INTO texts SELECT n::text, repeat('x', ${BYTES}) FROM generate_series(1, 9) AS n`,
  );
});

afterAll(() => database.drop());

const read = (limit: number, maxBytes: number): Promise<Row[]> =>
  database.query<Row>(
    withinBytes({
      page: 'SELECT * FROM texts ORDER BY uid LIMIT $1',
      columns: 'uid, content',
      bytes: 'octet_length(content)',
      order: 'page.uid',
      maxBytes: '$2',
    }),
    [limit, maxBytes],
  );

const asked = (count: number, maxBytes: number) => ({ maxBytes, field: 'page_size', count });

test('rows that fit are read, sorted', async () => {
  const rows = rowsWithin(await read(3, 3 * BYTES), asked(3, 3 * BYTES));
  expect(rows.map(({ uid, content }) => [uid, content.length])).toEqual([
    ['1', BYTES],
    ['2', BYTES],
    ['3', BYTES],
  ]);
});

test('of rows that do not fit only the size leaves the database, and the refusal says how many would', async () => {
  const rows = await read(9, 3 * BYTES);
  expect(rows).toEqual([{ page_bytes: 9 * BYTES, uid: null, content: null }]);
  let refusal: unknown;
  try {
    rowsWithin(rows, asked(9, 3 * BYTES));
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code: 'body_too_large', kind: 'too_large' });
  expect(String(refusal)).toContain('a page_size of 3 or less');
});

test('a single row is read whatever its size, and no row is no refusal', async () => {
  expect(rowsWithin(await read(1, 1), asked(1, 1))).toHaveLength(1);
  expect(rowsWithin(await read(0, 1), asked(0, 1))).toEqual([]);
});

test('of a list without pages it is said what helps', async () => {
  const rows = await read(9, 3 * BYTES);
  const all = { maxBytes: 3 * BYTES, remedy: 'delete some' };
  expect(() => rowsWithin(rows, all)).toThrow(
    new RegExp(`would have ${9 * BYTES} bytes, more than ${3 * BYTES}; delete some\\.`),
  );
});
