import { describe, expect, test } from '@jest/globals';
import {
  type EpisodeGroup,
  type EpisodeGrouping,
  EPISODES_PER_GROUPS_PAGE,
  MAX_ANSWER_BYTES,
  parseFilter,
  type ProjectReference,
  type RowPosition,
} from '@loci/contracts';
import { type TestDatabase } from '@loci/testing';
import { batchOf, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { EpisodeGroups } from './episode-groups.js';
import { matching } from './episode-rows.js';
import { type NewEpisode } from './episode.js';
import { endOfStretch, groupEpisodes } from './group-episodes.sql.js';

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

const groupsOf = ({ projectUid }: ProjectReference) => {
  const groups = new EpisodeGroups(replica.unitOfWork);
  return (by: EpisodeGrouping, rest: { filter?: string; before?: RowPosition | undefined } = {}) =>
    groups.page(projectUid, {
      by,
      before: rest.before,
      filter: rest.filter === undefined ? undefined : parseFilter(rest.filter),
    });
};

const counts = (groups: readonly EpisodeGroup[]): Record<string, number> =>
  Object.fromEntries(groups.map(({ name, episodes }) => [name, episodes]));

const said = (second: number, rest: Partial<NewEpisode>): Partial<NewEpisode> => ({
  content: 'x',
  createdAt: instant(new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()),
  ...rest,
});

describe('the groups of episodes', () => {
  test('each is counted once: by user, by session, by who said it', async () => {
    const project = await replica.openProject();
    const agent = { producerId: 'bot', producerRole: 'assistant' };
    const batch = batchOf(
      said(1, { producerId: 'mira' }),
      said(2, { producerId: 'phone', metadata: { user_id: 'mira', session_id: 'a' } }),
      said(3, { ...agent, metadata: { user_id: 'mira', session_id: 'a' } }),
      said(4, agent),
      said(5, { producerId: 'n'.repeat(1_301) }),
      said(6, { producerId: 'tom', metadata: { session_id: 'b' } }),
    );
    await replica.episodes.add(project.tenant, batch);
    const page = groupsOf(project);
    const { groups, next } = await page('user');
    expect(next).toBeUndefined();
    expect(groups).toEqual([
      {
        name: 'tom',
        episodes: 1,
        firstAt: instant('2026-01-01T00:00:06Z'),
        lastAt: instant('2026-01-01T00:00:06Z'),
      },
      {
        name: '',
        episodes: 2,
        firstAt: instant('2026-01-01T00:00:04Z'),
        lastAt: instant('2026-01-01T00:00:05Z'),
      },
      {
        name: 'mira',
        episodes: 3,
        firstAt: instant('2026-01-01T00:00:01Z'),
        lastAt: instant('2026-01-01T00:00:03Z'),
      },
    ]);
    expect(counts((await page('session')).groups)).toEqual({ a: 2, b: 1, '': 3 });
    expect(counts((await page('producer')).groups)).toEqual({ mira: 1, phone: 1, bot: 2, tom: 1, '': 1 });
    expect(counts((await page('user', { filter: "metadata.session_id='a'" })).groups)).toEqual({ mira: 2 });
  });

  test('a user whom features can be about is one, however long the id is', async () => {
    const project = await replica.openProject();
    const ids = ['n'.repeat(1_000), '漢'.repeat(433), '\u0001'.repeat(216)];
    await replica.episodes.add(
      project.tenant,
      batchOf(...ids.map((producerId, at) => said(at, { producerId }))),
    );
    const { groups } = await groupsOf(project)('user');
    expect(groups.map(({ name }) => name)).toEqual(ids.toReversed());
  });

  test('a page of the longest names fits into an answer', async () => {
    const project = await replica.openProject();
    await database.query(
      `INSERT INTO episodic.episodes (project_uid, uid, content, producer_id, producer_role, produced_for_id, metadata,
         created_at, in_short_term, in_long_term, is_semantic)
       SELECT $1, gen_random_uuid(), 'x', repeat('漢', 430) || lpad(n::text, 10, '0'), 'user', '', '{}',
         timestamptz '2026-01-01' + n * interval '1 second', true, true, true
       FROM generate_series(1, $2::int) AS n`,
      [project.projectUid, EPISODES_PER_GROUPS_PAGE],
    );
    const page = await groupsOf(project)('user');
    expect(page.groups).toHaveLength(EPISODES_PER_GROUPS_PAGE);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_ANSWER_BYTES);
  });

  test('of 100,000 messages all are found page by page, each page from the index', async () => {
    const project = await replica.openProject();
    // by the owner of the tables, quicker than by adds
    await database.query(
      `INSERT INTO episodic.episodes (project_uid, uid, content, producer_id, producer_role, produced_for_id, metadata,
         created_at, in_short_term, in_long_term, is_semantic)
       SELECT $1, gen_random_uuid(), repeat('words ', 40), 'agent-' || n % 7, 'user', '',
         jsonb_build_object('user_id', 'user-' || n % 1000), timestamptz '2026-01-01' + (n / 3) * interval '1 second',
         true, true, true
       FROM generate_series(1, 100000) AS n`,
      [project.projectUid],
    );
    await database.query('ANALYZE episodic.episodes');
    const page = groupsOf(project);
    const found = new Map<string, number>();
    let before: RowPosition | undefined;
    let pages = 0;
    do {
      const { groups, next } = await page('user', { before });
      for (const { name, episodes } of groups) found.set(name, (found.get(name) ?? 0) + episodes);
      before = next;
      pages += 1;
    } while (before);
    expect(pages).toBe(100_000 / EPISODES_PER_GROUPS_PAGE + 1);
    expect(found.size).toBe(1_000);
    expect(new Set(found.values())).toEqual(new Set([100]));
    const middle = ['2026-01-01T05:00:00Z', '01890a5d-ac96-774b-bcce-b302099a8057'];
    const end = ['2026-01-01T04:30:00Z', '01890a5d-ac96-774b-bcce-b302099a8057'];
    for (const [{ text }, values] of [
      [endOfStretch(false), [project.projectUid, EPISODES_PER_GROUPS_PAGE]],
      [endOfStretch(true), [project.projectUid, EPISODES_PER_GROUPS_PAGE, ...middle]],
      [groupEpisodes('user', matching(undefined, 6)), [project.projectUid, ...middle, ...end]],
    ] as const) {
      const plan = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('episodes_in_order');
    }
  });
});
