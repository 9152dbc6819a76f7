import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Comparison,
  type Filter,
  type FilterField,
  type Instant,
  instantFromDate,
  instantFromIso,
  type Literal,
} from '@loci/contracts';
import fc from 'fast-check';
import pg from 'pg';
import { type FieldColumns } from './field-columns.js';
import { filterToSql } from './filter-to-sql.js';

interface Row {
  readonly metadata: Readonly<Record<string, string>>;
  readonly producer_id: string | null;
  readonly sequence_num: number | null;
  readonly created_at: Instant | null;
}

const SESSION_KEY = 'org/project';

const columns: FieldColumns = {
  metadata: 'metadata',
  fields: {
    producer_id: { sql: 'producer_id', type: 'text' },
    sequence_num: { sql: 'sequence_num', type: 'integer' },
    created_at: { sql: 'created_at', type: 'instant' },
    session_key: { constant: SESSION_KEY },
  },
};

let client: pg.Client;

beforeAll(async () => {
  // a session that is not in UTC: what the filter means must not depend on it
  client = new pg.Client({
    connectionString: process.env['DATABASE_URL'],
    options: '-c TimeZone=America/New_York',
  });
  await client.connect();
});

afterAll(() => client.end());

async function inPostgres(filter: Filter, rows: readonly Row[]): Promise<unknown[]> {
  const { sql, parameters } = filterToSql(filter, columns, 2);
  const { rows: results } = await client.query<{ hit: unknown }>(
    `SELECT ${sql} AS hit
     FROM ROWS FROM (json_to_recordset($1::json)
            AS (metadata jsonb, producer_id text, sequence_num integer, created_at timestamptz))
          WITH ORDINALITY AS given (metadata, producer_id, sequence_num, created_at, position)
     ORDER BY position`,
    [JSON.stringify(rows), ...parameters],
  );
  return results.map(({ hit }) => hit);
}

// The meaning of a filter, written down once more, in the plainest way.

type Value =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'integer'; readonly text: string }
  | { readonly type: 'instant'; readonly instant: Instant };

function valueOf(row: Row, field: FilterField): Value | undefined {
  if (field.kind === 'metadata') {
    const text = Object.hasOwn(row.metadata, field.key) ? row.metadata[field.key] : undefined;
    return text === undefined ? undefined : { type: 'text', text };
  }
  switch (field.name) {
    case 'producer_id':
      return row.producer_id === null ? undefined : { type: 'text', text: row.producer_id };
    case 'sequence_num':
      return row.sequence_num === null ? undefined : { type: 'integer', text: String(row.sequence_num) };
    case 'created_at':
      return row.created_at === null ? undefined : { type: 'instant', instant: row.created_at };
    case 'session_key':
      return { type: 'text', text: SESSION_KEY };
    default:
      return undefined;
  }
}

/** -1, 0 or 1; undefined when the two cannot be compared. */
function order(value: Value, literal: Literal): number | undefined {
  if (literal.type === 'instant') {
    const instant = value.type === 'instant' ? value.instant : moment(value.text);
    return instant === undefined
      ? undefined
      : Buffer.compare(Buffer.from(instant), Buffer.from(literal.value));
  }
  if (value.type === 'instant') return undefined;
  if (literal.type === 'number' && /^-?[0-9]{1,100}(\.[0-9]{1,100})?$/.test(value.text)) {
    const difference = exact(value.text) - exact(String(literal.value));
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  return Buffer.compare(Buffer.from(value.text), Buffer.from(String(literal.value)));
}

/** PostgreSQL knows offsets up to 15:59. */
const moment = (text: string): Instant | undefined =>
  /:.*[+-](1[6-9]|2\d)(:?\d\d)?$/.test(text) ? undefined : instantFromIso(text);

/** A decimal number as a whole number of 10^-400. */
function exact(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction + '0'.repeat(400 - fraction.length + Number(exponent)));
}

const holds: Record<Comparison, (sign: number | undefined) => boolean> = {
  '=': (sign) => sign === 0,
  '!=': (sign) => sign !== 0,
  '<': (sign) => sign !== undefined && sign < 0,
  '<=': (sign) => sign !== undefined && sign <= 0,
  '>': (sign) => sign !== undefined && sign > 0,
  '>=': (sign) => sign !== undefined && sign >= 0,
};

function means(filter: Filter, row: Row): boolean {
  switch (filter.op) {
    case 'and':
      return filter.args.every((arg) => means(arg, row));
    case 'or':
      return filter.args.some((arg) => means(arg, row));
    case 'not':
      return !means(filter.arg, row);
    case 'present':
      return valueOf(row, filter.field) !== undefined;
    case 'in': {
      const value = valueOf(row, filter.field);
      return value !== undefined && filter.values.some((literal) => order(value, literal) === 0);
    }
    case 'compare': {
      const value = valueOf(row, filter.field);
      return value !== undefined && holds[filter.comparison](order(value, filter.value));
    }
  }
}

const KEYS = ['a', 'n', "it's", '$1', '', 'höhe', 'constructor', 'toString', '__proto__'];

const TEXTS = [
  ...['', 'a', 'A', 'ä', 'b', '\u{1F600}', '\uFFFD', 'true', 'false', 'TRUE', 'NaN', 'Infinity', 'null'],
  ...[
    '5',
    '5.0',
    '05',
    '-5',
    '-0',
    '0',
    '+5',
    ' 5',
    '5 ',
    '5\n',
    '5.',
    '.5',
    '5e0',
    '1e+21',
    '0x5',
    '٥',
    '५',
  ],
  ...['9'.repeat(100), '9'.repeat(101), `0.${'1'.repeat(100)}`, `0.${'1'.repeat(101)}`, '9'.repeat(100_000)],
  ...[
    '2024-01-01',
    '2024-01-01T10:00',
    '2024-01-01T10:00Z',
    '2024-01-01 10:00:00+02',
    '2024-01-01t10:00:00z',
  ],
  ...['2024-01-01T10:00:00.123456Z', '2024-01-01T10:00:00.1234569Z', '2024-01-01T10:00:00,5+0230'],
  ...[
    '2024-01-01T10:00:00 -05:30',
    '2024-01-01T10:00:00+15:59',
    '2024-01-01T10:00:00+16:00',
    '2024-03-10T02:30:00',
  ],
  ...['2024-02-29', '2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', '0000-01-01', '10000-01-01'],
  ...['2024-01-01T24:00:00Z', '2024-01-01T23:59:60Z', '2024-01-01T10:60Z', '2024-01-01T10:00:00+02:60'],
  ...[
    'now',
    'today',
    'epoch',
    'infinity',
    '-infinity',
    'January 8, 1999',
    '1/8/1999',
    '20240101',
    '2024-001',
  ],
  ...["'; DROP TABLE x; --", '\\', '%', '_', '"', '$1', '{}', '2024-01-01T10:00:00Z; SELECT 1'],
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -20, max: 20 }).map(String) },
  { weight: 1, arbitrary: fc.double({ min: -20, max: 20, noNaN: true }).map(String) },
);
const storable = text.filter((value) => !value.includes('\0'));
const number = fc.oneof(
  fc.constantFrom(5, -5, 0, -0, 5.5, 0.1, 1e21, 1e-7, 1e300, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const instant = fc.oneof(
  fc.constantFrom(...TEXTS.flatMap((value) => moment(value) ?? [])),
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map(instantFromDate),
);

const key = fc.oneof(
  fc.constantFrom(...KEYS),
  storable.filter((value) => value.length < 20),
);
const row: fc.Arbitrary<Row> = fc.record({
  metadata: fc
    .array(fc.tuple(key, storable), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))),
  producer_id: fc.option(storable),
  sequence_num: fc.option(fc.integer({ min: -100, max: 100 })),
  created_at: fc.option(instant),
});

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.record({ type: fc.constant('string' as const), value: text }),
  fc.record({ type: fc.constant('number' as const), value: number }),
  fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({ type: fc.constant('instant' as const), value: instant }),
);
const field: fc.Arbitrary<FilterField> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('metadata' as const), key: fc.oneof(key, text) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('system' as const),
      name: fc.constantFrom('producer_id', 'sequence_num', 'created_at', 'session_key', 'set_id'),
    }),
  },
);
const comparison = fc.constantFrom<Comparison>('=', '!=', '<', '<=', '>', '>=');

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ op: fc.constant('compare' as const), field, comparison, value: literal }),
    fc.record({ op: fc.constant('in' as const), field, values: fc.array(literal, { maxLength: 4 }) }),
    fc.record({ op: fc.constant('present' as const), field }),
    fc.record({ op: fc.constant('not' as const), arg: tie('filter') }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      args: fc.array(tie('filter'), { maxLength: 3 }),
    }),
  ),
}));

const rows = fc.array(row, { minLength: 1, maxLength: 8 });

test('PostgreSQL finds what the filter means, for any rows and filters', async () => {
  await fc.assert(
    fc.asyncProperty(filter, rows, async (given, stored) => {
      expect(await inPostgres(given, stored)).toEqual(stored.map((one) => means(given, one)));
    }),
    { numRuns: 1_500 },
  );
});

test('every comparison of every special text with every kind of value', async () => {
  const stored = TEXTS.map((value): Row => ({
    metadata: { a: value },
    producer_id: null,
    sequence_num: null,
    created_at: null,
  }));
  const literals: Literal[] = [
    ...TEXTS.filter((value) => value.length < 200).map((value): Literal => ({ type: 'string', value })),
    ...TEXTS.flatMap((value) => moment(value) ?? []).map((value): Literal => ({ type: 'instant', value })),
    ...[5, 0, -5, 1e21, 0.1].map((value): Literal => ({ type: 'number', value })),
    { type: 'boolean', value: true },
    { type: 'string', value: 'a\0' },
    { type: 'string', value: '\0' },
  ];
  for (const value of literals) {
    for (const operator of Object.keys(holds) as Comparison[]) {
      const test: Filter = {
        op: 'compare',
        field: { kind: 'metadata', key: 'a' },
        comparison: operator,
        value,
      };
      const found = await inPostgres(test, stored);
      const wrong = TEXTS.filter((_, index) => found[index] !== means(test, stored[index]!));
      expect({ value, operator, wrong }).toEqual({ value, operator, wrong: [] });
    }
  }
});

test.each<[string, Filter, boolean]>([
  ['metadata.n = 5 holds for "5"', compareN('=', { type: 'number', value: 5 }), true],
  ['metadata.n = "5.0" does not hold for "5"', compareN('=', { type: 'string', value: '5.0' }), false],
  ['metadata.n = 5.0 holds for "5"', compareN('=', { type: 'number', value: 5.0 }), true],
  ['metadata.n < 10 compares numbers', compareN('<', { type: 'number', value: 10 }), true],
  ['metadata.n < "10" compares texts', compareN('<', { type: 'string', value: '10' }), false],
  ['metadata.n != date holds, because they cannot be equal', compareN('!=', date('2024-01-01')), true],
  [
    'metadata.n < date does not hold, because they cannot be compared',
    compareN('<', date('2024-01-01')),
    false,
  ],
  ['a missing value is not unequal', compareN('!=', { type: 'number', value: 5 }, 'missing'), false],
  [
    'NOT of a comparison with a missing value holds',
    { op: 'not', arg: compareN('=', { type: 'number', value: 5 }, 'missing') },
    true,
  ],
])('%s', async (_, given, expected) => {
  const stored: Row = { metadata: { n: '5' }, producer_id: null, sequence_num: null, created_at: null };
  expect(await inPostgres(given, [stored])).toEqual([expected]);
});

function compareN(operator: Comparison, value: Literal, name = 'n'): Filter {
  return { op: 'compare', field: { kind: 'metadata', key: name }, comparison: operator, value };
}

function date(iso: string): Literal {
  return { type: 'instant', value: instantFromIso(iso) ?? ('' as Instant) };
}
