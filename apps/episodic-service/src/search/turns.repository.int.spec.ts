import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseFilter, type ProjectReference } from '@loci/contracts';
import { entityManager, rowsOf } from '@loci/persistence';
import { randomBytes } from 'node:crypto';
import { NIL } from 'uuid';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { TURNS_AROUND } from './turns-around.sql.js';
import { TurnsRepository } from './turns.repository.js';

let replica: Replica;
let turns: TurnsRepository;
let project: ProjectReference;
let uids: string[];

useReplicas(async ({ openReplica }) => {
  replica = await openReplica();
  turns = new TurnsRepository(replica.unitOfWork);
});

/** Five turns, a minute apart but for the last one, which comes the next day. */
beforeEach(async () => {
  project = await replica.openProject();
  const times = ['01T10:00', '01T10:01', '01T10:02', '01T10:03', '02T10:00'];
  const batch = batchOf(
    ...times.map((time, index) => ({
      createdAt: instant(`2024-05-${time}:00Z`),
      producerId: index % 2 === 0 ? 'ann' : 'bob',
      producerRole: 'user',
    })),
  );
  await replica.episodes.add(project.tenant, batch);
  uids = batch.episodes.map(({ uid }) => uid);
});

describe('the surroundings of a hit', () => {
  test('are the turns right before and after it, although they were not found themselves', async () => {
    const [a, b, c] = uids;
    const around = await turns.around(project.projectUid, [b ?? '']);
    expect(around).toHaveLength(3);
    expect(around).toContainEqual({
      id: b,
      atMs: Date.parse('2024-05-01T10:01:00Z'),
      speaker: 'bob',
      role: 'user',
      length: 1,
      conversation: NIL,
      previous: a,
      next: c,
    });
    expect(around.find(({ id }) => id === a)).toMatchObject({ speaker: 'ann', next: b });
  });

  test('end where a session ends', async () => {
    const [, , , d = '', e = ''] = uids;
    const around = await turns.around(project.projectUid, [d, e]);
    expect(around.find(({ id }) => id === d)?.next).toBeUndefined();
    expect(around.find(({ id }) => id === e)?.previous).toBeUndefined();
  });

  test('are never of another project', async () => {
    const other = await replica.openProject();
    expect(await turns.around(other.projectUid, uids)).toEqual([]);
    expect(
      (await turns.contextOf(other.projectUid, uids, undefined, { before: 1, after: 1, within: 100 })).size,
    ).toBe(0);
  });

  test('leave out what was deleted', async () => {
    const [a, b = '', c = ''] = uids;
    await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [b], tx));
    const around = await turns.around(project.projectUid, [b, c]);
    expect(around.find(({ id }) => id === c)?.previous).toBe(a);
    expect(around.map(({ id }) => id)).not.toContain(b);
  });
});

/** Two dialogues of ann, turn by turn: with bob and with eve. */
describe.each([
  ['by a session id', (other: string) => ({ metadata: { session_id: other } })],
  [
    'by who talks with whom',
    (other: string, isReply: boolean) => ({ producedForId: isReply ? 'ann' : other }),
  ],
])('conversations that are told apart %s', (_, detailsOf) => {
  let spoken: string[];

  beforeEach(async () => {
    project = await replica.openProject();
    const batch = batchOf(
      ...['bob', 'eve', 'bob', 'eve', 'bob'].map((other, index) => {
        const isReply = index >= 2;
        return {
          createdAt: instant(`2024-05-01T10:00:0${index}Z`),
          producerId: isReply ? other : 'ann',
          ...detailsOf(other, isReply),
        };
      }),
    );
    await replica.episodes.add(project.tenant, batch);
    spoken = batch.episodes.map(({ uid }) => uid);
  });

  test('do not mix in the surroundings of a hit', async () => {
    const [a, , c = '', , e] = spoken;
    const around = await turns.around(project.projectUid, [c]);
    expect(around.find(({ id }) => id === c)).toMatchObject({ previous: a, next: e });
    expect(new Set(around.map(({ conversation }) => conversation)).size).toBe(1);
  });

  test('nor in its context', async () => {
    const [a, , c = '', , e] = spoken;
    const context = await turns.contextOf(project.projectUid, [c], undefined, {
      before: 3,
      after: 3,
      within: 100,
    });
    expect(context.get(c)).toEqual([a, e]);
  });

  test('nor in what is embedded', async () => {
    const [, b, , d = ''] = spoken;
    const indexVersion = await replica.activate(project, 'conversations-4-00000000');
    const { wanted } = await replica.index.sort(indexVersion, [d]);
    expect(wanted[0]?.previous?.uid).toBe(b);
  });
});

test('an episode that announces a change, is a question, or is the text that is given, says so, when that is asked', async () => {
  const batch = batchOf(
    { content: 'I live in Lisbon.', createdAt: instant('2024-06-01T10:00:00Z') },
    { content: 'We moved to Porto.', createdAt: instant('2024-07-01T10:00:00Z') },
    { content: 'Do you know a removal firm? ', createdAt: instant('2024-08-01T10:00:00Z') },
  );
  await replica.episodes.add(project.tenant, batch);
  const added = batch.episodes.map(({ uid }) => uid);
  const said = async (options?: {
    changes?: boolean;
    questions?: boolean;
    exact?: string;
  }): Promise<unknown[]> =>
    (await turns.around(project.projectUid, added, options))
      .sort((a, b) => a.atMs - b.atMs)
      .map(({ announcesChange, isQuestion, repeatsQuery }) => [announcesChange, isQuestion, repeatsQuery]);
  expect(await said({ changes: true, questions: true, exact: 'I live in Lisbon.' })).toEqual([
    [false, false, true],
    [true, false, false],
    [false, true, false],
  ]);
  expect(await said()).toEqual(added.map(() => [undefined, undefined, undefined]));
});

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>> },
  ];
}

test('long texts are not read where nothing is asked about them', async () => {
  const batch = batchOf({ content: randomBytes(100_000).toString('base64') });
  await replica.episodes.add(project.tenant, batch);
  const asked = (questions: boolean): string =>
    `'${project.projectUid}', '{${batch.episodes.map(({ uid }) => uid).join()}}', false, ${questions}, NULL`;
  const blocksRead = (questions: boolean): Promise<number> =>
    replica.unitOfWork.run(
      async (tx) => {
        const manager = entityManager(tx);
        await manager.query(`PREPARE around AS ${TURNS_AROUND.text}`);
        // as a search has it after a few times: one plan, whatever is asked
        await manager.query('SET LOCAL plan_cache_mode = force_generic_plan');
        const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE around(${asked(questions)})`;
        const [row] = await manager.query<Explained[]>(explain);
        await manager.query('DEALLOCATE around');
        const plan = row?.['QUERY PLAN'][0].Plan;
        return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
      },
      { scope: rowsOf(project.projectUid) },
    );
  expect((await blocksRead(true)) - (await blocksRead(false))).toBeGreaterThan(10);
});

test('turns and those beside them have the lengths of their texts', async () => {
  const batch = batchOf(
    { content: 'é', createdAt: instant('2024-06-01T10:00:00Z') },
    { content: 'é'.repeat(1_000), createdAt: instant('2024-06-01T10:01:00Z') },
  );
  await replica.episodes.add(project.tenant, batch);
  const [, long = ''] = batch.episodes.map(({ uid }) => uid);
  const around = await turns.around(project.projectUid, [long]);
  expect(around.map(({ length }) => length).sort((a = 0, b = 0) => a - b)).toEqual([1, 2_000]);
});

describe('the context of a hit', () => {
  test('is the nearest on each side, nearest first', async () => {
    const [a, b, c = '', d, e] = uids;
    const context = await turns.contextOf(project.projectUid, [c], undefined, {
      before: 2,
      after: 2,
      within: 100,
    });
    expect(context.get(c)).toEqual([b, a, d, e]);
  });

  test('holds nothing that the filter leaves out', async () => {
    const [a, , c = '', , e] = uids;
    const filter = parseFilter("producer_id = 'ann'");
    const context = await turns.contextOf(project.projectUid, [c], filter, {
      before: 2,
      after: 2,
      within: 100,
    });
    expect(context.get(c)).toEqual([a, e]);
  });

  test('is looked for among the nearest of its conversation alone, whatever the filter leaves out', async () => {
    const [a, , c = '', , e] = uids;
    const filter = parseFilter("producer_id = 'ann'");
    const context = (within: number) =>
      turns.contextOf(project.projectUid, [c], filter, { before: 1, after: 1, within });
    expect((await context(2)).get(c)).toEqual([a, e]);
    expect((await context(1)).get(c)).toEqual([]);
  });
});
