import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compilePushdown } from '../src/filters/compile-pushdown.js';
import { type StoredPoint, type VectorIndex, type VectorPoint } from '../src/vector-index.js';

const ALICE = randomUUID();
const BOB = randomUUID();
const APPLES = 7;
const PEARS = 4_294_967_295;

/** A point of four dimensions. */
export function point(overrides: Partial<VectorPoint> = {}): VectorPoint {
  return {
    id: randomUUID(),
    dense: Float32Array.from([1, 0, 0, 0]),
    sparse: { indices: [APPLES], values: [1] },
    version: 1,
    payload: { metadata: {}, fields: {}, createdAt: '2024-01-01T00:00:00.000000Z' },
    ...overrides,
  };
}

/** The query that every {@link point} answers. */
export const everything = {
  dense: [1, 0, 0, 0],
  sparse: { indices: [APPLES, PEARS], values: [1, 1] },
  limit: 1000,
};

export interface VectorIndexHarness<Index extends VectorIndex> {
  /** Opens an index of four dimensions, the same one for the same fingerprint. Its collection need not be there. */
  readonly open: (fingerprint: string) => Index;
  /** Removes the collection. */
  readonly drop: (index: Index) => Promise<void>;
}

/** What every vector index promises. */
export function vectorIndexConformance<Index extends VectorIndex>(
  name: string,
  { open, drop }: VectorIndexHarness<Index>,
): void {
  describe(`${name}, as every vector index`, () => {
    const index = open('conformance');

    async function idsOf(tenant: string): Promise<{ dense: string[]; sparse: string[] }> {
      const { dense, sparse } = await index.search(tenant, everything);
      return { dense: dense.map(({ id }) => id), sparse: sparse.map(({ id }) => id) };
    }

    async function scrollAll(limit: number): Promise<StoredPoint[]> {
      const found: StoredPoint[] = [];
      let after: string | undefined;
      do {
        const page = await index.scroll({ after, limit });
        found.push(...page.points);
        after = page.next;
      } while (after !== undefined);
      return found;
    }

    beforeAll(async () => {
      await index.ensureCollection();
    });

    beforeEach(async () => {
      await Promise.all([ALICE, BOB].map((tenant) => index.removeTenant(tenant)));
    });

    afterAll(() => drop(index));

    test('is reachable, and its word that something is missing counts', async () => {
      expect(await index.isReachable()).toBe(true);
      expect(await index.isLossCredible()).toBe(true);
    });

    test('without a collection says so in every method, until it is created again', async () => {
      const lost = open('lost');
      const calls = [
        lost.upsert(ALICE, [point()]),
        lost.remove(ALICE, [randomUUID()]),
        lost.removeTenant(ALICE),
        lost.count(ALICE),
        lost.search(ALICE, everything),
        lost.similarTo(ALICE, randomUUID(), [randomUUID()]),
        lost.scroll({ limit: 10 }),
        lost.versions([randomUUID()]),
      ];
      expect(await lost.exists()).toBe(false);
      const missing = {
        status: 'rejected',
        reason: expect.objectContaining({ code: 'vector_index_missing' }),
      };
      expect(await Promise.allSettled(calls)).toEqual(calls.map(() => missing));
      expect(await lost.ensureCollection()).toEqual({ created: true });
      expect(await lost.count(ALICE)).toBe(0);
      await drop(lost);
    });

    describe('similarTo', () => {
      test('compares a point with others of its tenant, nearest first', async () => {
        const one = point({ dense: [1, 0, 0, 0] });
        const near = point({ dense: [0.8, 0.6, 0, 0] });
        const far = point({ dense: [0, 1, 0, 0] });
        const foreign = point();
        await index.upsert(ALICE, [one, near, far, point()]);
        await index.upsert(BOB, [foreign]);
        const others = [far.id, foreign.id, near.id, randomUUID()];
        const found = await index.similarTo(ALICE, one.id, others);
        expect(found.map(({ id }) => id)).toEqual([near.id, far.id]);
        expect(found.map(({ score }) => Math.round(score * 1000) / 1000)).toEqual([0.8, 0]);
      });

      test('finds nothing like a point that is not there, and nothing among none', async () => {
        const one = point();
        await index.upsert(ALICE, [one]);
        expect(await index.similarTo(ALICE, randomUUID(), [one.id])).toEqual([]);
        expect(await index.similarTo(ALICE, one.id, [])).toEqual([]);
      });
    });

    describe('search', () => {
      test('answers both legs in one request, best first', async () => {
        const both = point({ dense: [1, 0, 0, 0], sparse: { indices: [APPLES, PEARS], values: [1, 1] } });
        const near = point({ dense: [0.9, 0.5, 0, 0], sparse: { indices: [], values: [] } });
        const wordy = point({ dense: [0, 1, 0, 0], sparse: { indices: [PEARS], values: [0.5] } });
        await index.upsert(ALICE, [wordy, near, both]);
        const { dense, sparse } = await index.search(ALICE, everything);
        expect(dense.map(({ id }) => id)).toEqual([both.id, near.id, wordy.id]);
        expect(dense[0]?.score).toBeCloseTo(1, 5);
        expect(dense[2]?.score).toBeCloseTo(0, 5);
        expect(sparse.map(({ id }) => id)).toEqual([both.id, wordy.id]);
        expect(sparse[0]!.score).toBeGreaterThan(sparse[1]!.score);
      });

      test('counts a term as much as the query says, however rare it is here', async () => {
        const rare = point({ sparse: { indices: [PEARS], values: [1] } });
        await index.upsert(ALICE, [rare, point(), point(), point()]);
        const { sparse } = await index.search(ALICE, {
          sparse: { indices: [APPLES, PEARS], values: [0.5, 0.25] },
          limit: 1000,
        });
        expect(sparse.map(({ score }) => score)).toEqual([0.5, 0.5, 0.5, 0.25]);
        expect(sparse.at(-1)?.id).toBe(rare.id);
      });

      test('leaves out the leg that is not asked for', async () => {
        await index.upsert(ALICE, [point()]);
        const { dense, sparse, limit } = everything;
        expect(await index.search(ALICE, { dense, limit })).toMatchObject({ dense: [{}], sparse: [] });
        expect(await index.search(ALICE, { sparse, limit })).toMatchObject({ dense: [], sparse: [{}] });
        expect(
          await index.search(ALICE, { dense, sparse: { indices: [], values: [] }, limit }),
        ).toMatchObject({
          dense: [{}],
          sparse: [],
        });
        expect(await index.search(ALICE, { limit })).toMatchObject({ dense: [], sparse: [] });
      });

      test('gives at most the limit per leg', async () => {
        await index.upsert(ALICE, [point(), point(), point()]);
        const { dense, sparse } = await index.search(ALICE, { ...everything, limit: 2 });
        expect([dense.length, sparse.length]).toEqual([2, 2]);
      });

      test('filters both legs', async () => {
        const note = point({ payload: { ...point().payload, metadata: { kind: 'note' } } });
        await index.upsert(ALICE, [note, point()]);
        const filter = compilePushdown(
          {
            op: 'compare',
            field: { kind: 'metadata', key: 'kind' },
            comparison: '=',
            value: { type: 'string', value: 'note' },
          },
          { fields: new Set(), metadata: true },
        );
        const { dense, sparse } = await index.search(ALICE, { ...everything, filter });
        expect([dense, sparse]).toMatchObject([[{ id: note.id }], [{ id: note.id }]]);
      });
    });

    describe('upsert', () => {
      test('twice is the same as once', async () => {
        const points = [point(), point()];
        await index.upsert(ALICE, points);
        await index.upsert(ALICE, points);
        expect(await index.count(ALICE)).toBe(2);
      });

      test('replaces a point by a later version, vectors and payload alike', async () => {
        const first = point();
        await index.upsert(ALICE, [first]);
        await index.upsert(ALICE, [
          { ...first, version: 2, dense: [0, 1, 0, 0], sparse: { indices: [PEARS], values: [1] } },
        ]);
        const { dense, sparse } = await index.search(ALICE, {
          dense: [0, 1, 0, 0],
          sparse: { indices: [APPLES], values: [1] },
          limit: 10,
        });
        expect(dense[0]?.score).toBeCloseTo(1, 5);
        expect(sparse).toEqual([]);
      });

      test('does not put an older version over a newer one, whatever else is in the batch', async () => {
        const [updated, other] = [point({ version: 3 }), point()];
        await index.upsert(ALICE, [updated, other]);
        const added = point();
        await index.upsert(ALICE, [{ ...updated, version: 2 }, { ...other, version: 2 }, added]);
        expect(await index.versions([updated.id, other.id, added.id])).toEqual(
          new Map([
            [updated.id, 3],
            [other.id, 2],
            [added.id, 1],
          ]),
        );
      });

      test('of more points than fit in a request stores them all', async () => {
        const points = Array.from({ length: 600 }, () => point());
        await index.upsert(ALICE, points);
        expect(await index.count(ALICE)).toBe(600);
      });

      test('of nothing is fine', async () => {
        await index.upsert(ALICE, []);
        expect(await index.count(ALICE)).toBe(0);
      });

      test('of a vector of other dimensions is our own fault, not that of the index', async () => {
        await expect(index.upsert(ALICE, [point({ dense: [1, 2] })])).rejects.toMatchObject({
          code: 'internal_error',
        });
      });
    });

    describe('a tenant', () => {
      const [hers, his] = [point(), point()];

      beforeEach(async () => {
        await index.upsert(ALICE, [hers]);
        await index.upsert(BOB, [his]);
      });

      test('finds and counts only its own points', async () => {
        expect(await idsOf(ALICE)).toEqual({ dense: [hers.id], sparse: [hers.id] });
        expect(await index.count(ALICE)).toBe(1);
      });

      test('cannot reach the points of another by a filter', async () => {
        const filter = compilePushdown(
          {
            op: 'or',
            args: [hers, his].map(({ id }) => ({
              op: 'compare',
              field: { kind: 'system', name: 'uid' },
              comparison: '=',
              value: { type: 'string', value: id },
            })),
          },
          { fields: new Set(), metadata: true },
        );
        const { dense, sparse } = await index.search(ALICE, { ...everything, filter });
        expect([dense, sparse]).toMatchObject([[{ id: hers.id }], [{ id: hers.id }]]);
      });

      test('repairs see the ids and versions of all', async () => {
        const both = [hers.id, his.id, randomUUID()];
        expect(await index.versions(both)).toEqual(
          new Map([
            [hers.id, 1],
            [his.id, 1],
          ]),
        );
        expect(await index.exists()).toBe(true);
      });

      test('cannot replace a point of another', async () => {
        await index.upsert(ALICE, [{ ...his, version: 9 }]);
        expect(await index.versions([his.id])).toEqual(new Map([[his.id, 1]]));
        expect(await index.count(ALICE)).toBe(1);
      });

      test('shares a write with another, and neither replaces a newer point or one of the other', async () => {
        const [hersToo, hisToo] = [point(), point()];
        await index.upsert(BOB, [{ ...his, version: 5 }]);
        await index.upsertAll([
          { tenant: ALICE, points: [{ ...hers, version: 2 }, { ...his, version: 9 }, hersToo] },
          { tenant: BOB, points: [{ ...his, version: 4 }, { ...hers, version: 9 }, hisToo] },
        ]);
        expect(await index.versions([hers.id, his.id, hersToo.id, hisToo.id])).toEqual(
          new Map([
            [hers.id, 2],
            [his.id, 5],
            [hersToo.id, 1],
            [hisToo.id, 1],
          ]),
        );
        expect([await index.count(ALICE), await index.count(BOB)]).toEqual([2, 2]);
      });

      test('cannot remove a point of another', async () => {
        await index.remove(ALICE, [hers.id, his.id]);
        expect([await index.count(ALICE), await index.count(BOB)]).toEqual([0, 1]);
      });

      test('is removed without touching another', async () => {
        await index.removeTenant(ALICE);
        expect([await idsOf(ALICE), await idsOf(BOB)]).toEqual([
          { dense: [], sparse: [] },
          { dense: [his.id], sparse: [his.id] },
        ]);
      });
    });

    test('removing is idempotent, and the other points stay', async () => {
      const [gone, kept] = [point(), point()];
      await index.upsert(ALICE, [gone, kept]);
      await index.remove(ALICE, [gone.id, randomUUID()]);
      await index.remove(ALICE, [gone.id]);
      await index.remove(ALICE, []);
      expect(await idsOf(ALICE)).toEqual({ dense: [kept.id], sparse: [kept.id] });
    });

    describe('scroll', () => {
      test.each([1, 7, 25, 100])(
        'in pages of %d meets every point of every tenant once, by id',
        async (limit) => {
          const [hers, his] = [13, 12].map((count) => Array.from({ length: count }, () => point()));
          await index.upsert(ALICE, hers!);
          await index.upsert(BOB, his!);
          const expected = [
            ...hers!.map(({ id }) => ({ id, tenant: ALICE, version: 1 })),
            ...his!.map(({ id }) => ({ id, tenant: BOB, version: 1 })),
          ].sort((a, b) => (a.id < b.id ? -1 : 1));
          expect(await scrollAll(limit)).toEqual(expected);
        },
      );

      test('goes on when the point at the edge of a page is removed', async () => {
        const points = Array.from({ length: 6 }, () => point());
        await index.upsert(ALICE, points);
        const { points: page, next } = await index.scroll({ limit: 3 });
        await index.remove(ALICE, [next!]);
        const rest = await index.scroll({ after: next, limit: 10 });
        const met = [...page, ...rest.points].map(({ id }) => id);
        expect(met.sort()).toEqual(
          points
            .map(({ id }) => id)
            .filter((id) => id !== next)
            .sort(),
        );
      });

      test('of an empty collection is an empty last page', async () => {
        expect(await index.scroll({ limit: 10 })).toEqual({ points: [] });
      });
    });
  });
}
