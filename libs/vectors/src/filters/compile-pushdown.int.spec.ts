import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Comparison, type Filter, type FilterField, type Instant, type Literal } from '@loci/contracts';
import { askTestQdrant, testQdrant } from '@loci/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { QdrantVectorIndex } from '../qdrant/qdrant-vector-index.js';
import { type VectorPoint } from '../vector-index.js';
import { compilePushdown } from './compile-pushdown.js';

const index = new QdrantVectorIndex({
  ...testQdrant(),
  prefix: `test_${randomUUID()}`,
  fingerprint: 'filters',
  dimensions: 2,
});
const TENANT = randomUUID();

const LONG = 'x'.repeat(3000);
const KEYS = ['n', 'a.b', `it's "quoted"`, 'ключ', '__proto__', 'tenant', LONG.slice(0, 128)];
const VALUES = [
  '5',
  '5.0',
  '05',
  '-1',
  '1e1',
  '10',
  '9',
  '',
  ' ',
  'x',
  'X',
  'true',
  '2024-01-01',
  `${LONG}1`,
  `${LONG}2`,
];
const NUMBERS = [5, 10, -1, 0, 1.5];
const INSTANTS = [
  '0001-01-01T00:00:00.000000Z',
  '2024-01-01T00:00:00.000000Z',
  '2024-01-01T00:00:00.000001Z',
  '2024-01-01T00:00:00.000002Z',
  '9999-12-31T23:59:59.999999Z',
] as Instant[];
const CARRIED = ['producer_id', 'produced_for_id'] as const;

const attributes = (keys: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...VALUES)), { selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries));

const anyPoint: fc.Arbitrary<VectorPoint> = fc
  .record({
    metadata: attributes(KEYS),
    fields: attributes(CARRIED),
    createdAt: fc.constantFrom(...INSTANTS),
  })
  .map((payload) => ({
    id: randomUUID(),
    dense: [1, 1],
    sparse: { indices: [], values: [] },
    version: 1,
    payload,
  }));

// seeded, so that a filter that fails meets the same points when it is tried again
const POINTS = fc.sample(anyPoint, { seed: 1, numRuns: 120 });

const anyLiteral: fc.Arbitrary<Literal> = fc.oneof(
  fc.record({ type: fc.constant('string' as const), value: fc.constantFrom(...VALUES) }),
  fc.record({ type: fc.constant('number' as const), value: fc.constantFrom(...NUMBERS) }),
  fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({ type: fc.constant('instant' as const), value: fc.constantFrom(...INSTANTS) }),
);

const anyAttribute: fc.Arbitrary<FilterField> = fc.oneof(
  fc.record({ kind: fc.constant('metadata' as const), key: fc.constantFrom(...KEYS) }),
  fc.record({ kind: fc.constant('system' as const), name: fc.constantFrom(...CARRIED, 'content' as const) }),
);
const anyComparison = fc.constantFrom<Comparison>('=', '!=', '<', '<=', '>', '>=');

const anyLeaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    op: fc.constant('compare' as const),
    field: anyAttribute,
    comparison: anyComparison,
    value: anyLiteral,
  }),
  fc.record({
    op: fc.constant('compare' as const),
    field: fc.constant({ kind: 'system' as const, name: 'created_at' as const }),
    comparison: anyComparison,
    value: fc.record({ type: fc.constant('instant' as const), value: fc.constantFrom(...INSTANTS) }),
  }),
  fc.record({
    op: fc.constant('compare' as const),
    field: fc.constant({ kind: 'system' as const, name: 'uid' as const }),
    comparison: fc.constantFrom<Comparison>('=', '!='),
    value: fc.record({
      type: fc.constant('string' as const),
      value: fc.constantFrom('none', ...POINTS.slice(0, 3).map(({ id }) => id)),
    }),
  }),
  fc.record({
    op: fc.constant('in' as const),
    field: anyAttribute,
    values: fc.array(anyLiteral, { maxLength: 3 }),
  }),
  fc.record({ op: fc.constant('present' as const), field: anyAttribute }),
);

const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyLeaf,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      args: fc.array(tie('filter'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), arg: tie('filter') }),
  ),
}));

/** What `= 5` may be taken to mean: the number, or its text. The index must not lose a match of either. */
type Reading = 'numbers' | 'texts';

function valueOf({ id, payload }: VectorPoint, field: FilterField): string | undefined {
  if (field.kind === 'metadata')
    return Object.hasOwn(payload.metadata, field.key) ? payload.metadata[field.key] : undefined;
  if (field.name === 'uid') return id;
  if (field.name === 'created_at') return payload.createdAt;
  if (field.name === 'content') return 'x';
  return payload.fields[field.name];
}

function holds(order: number, comparison: Comparison): boolean {
  switch (comparison) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function compares(value: string, comparison: Comparison, literal: Literal, reading: Reading): boolean {
  const isEquality = comparison === '=' || comparison === '!=';
  if (literal.type === 'number' && value.trim() !== '' && !(isEquality && reading === 'texts')) {
    const difference = Number(value) - literal.value;
    if (!Number.isNaN(difference)) return holds(difference, comparison);
  }
  const text = String(literal.value);
  return holds(value < text ? -1 : value > text ? 1 : 0, comparison);
}

function matches(point: VectorPoint, filter: Filter, reading: Reading): boolean {
  switch (filter.op) {
    case 'and':
      return filter.args.every((arg) => matches(point, arg, reading));
    case 'or':
      return filter.args.some((arg) => matches(point, arg, reading));
    case 'not':
      return !matches(point, filter.arg, reading);
    case 'compare': {
      const value = valueOf(point, filter.field);
      return value !== undefined && compares(value, filter.comparison, filter.value, reading);
    }
    case 'in': {
      const value = valueOf(point, filter.field);
      return value !== undefined && filter.values.some((literal) => compares(value, '=', literal, reading));
    }
    case 'present':
      return valueOf(point, filter.field) !== undefined;
  }
}

beforeAll(async () => {
  await index.ensureCollection();
  await index.upsert(TENANT, POINTS);
  await index.upsert(
    randomUUID(),
    POINTS.map((point) => ({ ...point, id: randomUUID() })),
  );
});

afterAll(async () => {
  await askTestQdrant(`/collections/${index.collection}`, 'DELETE');
});

test('the index keeps every point that a filter keeps, and no other when it says that it is exact', async () => {
  let exactFilters = 0;
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.constantFrom<Reading>('numbers', 'texts'), async (filter, reading) => {
      const pushdown = compilePushdown(filter, { fields: new Set(CARRIED), metadata: true });
      const { dense } = await index.search(TENANT, {
        dense: [1, 1],
        filter: pushdown,
        limit: POINTS.length * 2,
      });
      const found = dense.map(({ id }) => id).sort();
      const expected = POINTS.filter((point) => matches(point, filter, reading))
        .map(({ id }) => id)
        .sort();
      if (pushdown.exact) exactFilters += 1;
      expect(pushdown.exact ? found : expected.filter((id) => !found.includes(id))).toEqual(
        pushdown.exact ? expected : [],
      );
    }),
    { numRuns: 300 },
  );
  expect(exactFilters).toBeGreaterThan(50);
});

test('a filter as deep as clients can write is understood by the server', async () => {
  const leaf: Filter = { op: 'present', field: { kind: 'metadata', key: 'n' } };
  const deep = Array.from({ length: 60 }).reduce<Filter>(
    (inner) => ({ op: 'not', arg: { op: 'or', args: [inner, leaf] } }),
    leaf,
  );
  const filter = compilePushdown(deep, { fields: new Set(CARRIED), metadata: true });
  const { dense } = await index.search(TENANT, { dense: [1, 1], filter, limit: 500 });
  const expected = POINTS.filter((point) => matches(point, deep, 'texts')).map(({ id }) => id);
  expect(dense.map(({ id }) => id)).toEqual(expect.arrayContaining(expected));
});
