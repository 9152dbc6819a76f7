import { describe, expect, test } from '@jest/globals';
import { type ConfiguredProject, type ProjectReference, tenantName } from '@loci/contracts';
import { ROWS_OF_ALL, scopedManager } from '@loci/persistence';
import { eventually, type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';

const WRITERS = 30;

const DEFAULT_MODELS = { embedder: '', reranker: '', revision: 0 };

let database: TestDatabase;
let one: Replica;
let two: Replica;
/** Its connections are not taken up by writers. */
let closer: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  [one, two, closer] = [await opened.openReplica(), await opened.openReplica(), await opened.openReplica()];
});

const episodesOf = async ({ projectUid }: ProjectReference): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM episodic.episodes WHERE project_uid = $1',
    [projectUid],
  );
  return row?.count ?? 0;
};

const stateOf = async ({ projectUid }: ProjectReference): Promise<string | undefined> =>
  (
    await database.query<{ state: string }>('SELECT state FROM episodic.projects WHERE uid = $1', [
      projectUid,
    ])
  )[0]?.state;

describe('closing a project', () => {
  const together = (replica: Replica, { tenant }: ProjectReference): Promise<boolean> =>
    replica.episodes.add(tenant, batchOf({}, {}));

  const inTransaction = (replica: Replica, { tenant }: ProjectReference): Promise<boolean> =>
    replica.unitOfWork.run((tx) => replica.episodes.add(tenant, batchOf({}, {}), tx));

  test.each([
    ['together', together],
    ['each in a transaction, as with an idempotency key', inTransaction],
  ])(
    'waits for few of thirty that add without a pause, %s, and nothing is added afterwards',
    async (_, add) => {
      const project = await one.openProject();
      let added = 0;
      const write = async (replica: Replica): Promise<void> => {
        while (await add(replica, project)) added += 2;
      };
      const writers = Array.from({ length: WRITERS }, (_, n) => write(n % 2 ? one : two));
      await eventually(() => added > 10 * WRITERS, { what: 'all are writing' });
      const addedBefore = added;
      await closer.projects.close(project);
      const addedMeanwhile = added - addedBefore;
      const stored = await episodesOf(project);
      await Promise.all(writers);
      expect(await episodesOf(project)).toBe(stored);
      expect(stored).toBe(added);
      // a writer that comes after the one that closes waits behind it; before it is there, a busy machine adds many
      expect(addedMeanwhile).toBeLessThan(100 * WRITERS);
    },
  );

  test('hides it from readers and refuses settings', async () => {
    const project = await one.openProject();
    await one.projects.close(project);
    expect(await two.projects.findOpen(project.tenant)).toBeUndefined();
    expect(await two.projects.updateSettings(project.tenant, { enabled: false }, undefined)).toBe(false);
    expect(await two.episodes.add(project.tenant, batchOf({}))).toBe(false);
  });

  test('one never heard of is noted, so that a late writer cannot open it', async () => {
    const unknown = { tenant: { orgId: 'acme', projectId: 'late' }, projectUid: uuidv7() };
    await one.projects.close(unknown);
    await two.projects.open({ ...unknown, models: DEFAULT_MODELS });
    expect(await two.projects.findOpen(unknown.tenant)).toBeUndefined();
  });

  test('its name can be opened for another project at once', async () => {
    const project = await one.openProject();
    await one.projects.close(project);
    const successor = { ...project, projectUid: uuidv7() };
    await one.projects.open({ ...successor, models: DEFAULT_MODELS });
    expect(await two.projects.findOpen(project.tenant)).toMatchObject({ uid: successor.projectUid });
  });
});

describe('noting that a project is erased', () => {
  const mark = (replica: Replica, { projectUid }: ProjectReference): Promise<string> =>
    replica.unitOfWork.run((tx) => replica.erased.mark(projectUid, tx));

  test('not while another erasure has deleted the last episodes but not committed', async () => {
    const project = await one.openProject();
    await one.addEach(project.tenant, ['a', 'b']);
    await one.projects.close(project);
    await two.unitOfWork.run(async (tx) => {
      const erasing = 'DELETE FROM episodic.episodes WHERE project_uid = $1';
      await (await scopedManager(tx, ROWS_OF_ALL)).query(erasing, [project.projectUid]);
      expect(await mark(one, project)).toBe('remaining');
    });
    expect(await stateOf(project)).toBe('erasing');
    expect(await mark(one, project)).toBe('erased');
    expect(await mark(two, project)).toBe('known');
  });

  test('two erasures at once never confirm while episodes remain, and only one is the first', async () => {
    const project = await one.openProject();
    await one.episodes.add(project.tenant, batchOf(...Array.from({ length: 300 }, () => ({}))));
    const erase = async (replica: Replica): Promise<string> => {
      await replica.projects.close(project);
      for (;;) {
        while ((await replica.episodes.erase(project.projectUid, 7)) > 0);
        const state = await mark(replica, project);
        if (state === 'remaining') continue;
        expect(await episodesOf(project)).toBe(0);
        return state;
      }
    };
    const states = await Promise.all([erase(one), erase(two), erase(one), erase(two)]);
    expect(states.sort()).toEqual(['erased', 'known', 'known', 'known']);
  });

  test('never of an open project', async () => {
    const project = await one.openProject();
    expect(await mark(one, project)).toBe('known');
    expect(await stateOf(project)).toBe('open');
  });

  test('it is forgotten only when that is long ago', async () => {
    const [recent, old] = [await one.openProject(), await one.openProject()];
    for (const project of [recent, old]) {
      await one.projects.close(project);
      await mark(one, project);
    }
    await database.query(
      `UPDATE episodic.projects SET changed_at = now() - interval '2 days' WHERE uid = $1`,
      [old.projectUid],
    );
    await two.erased.forget(24 * 60 * 60 * 1000);
    expect([await stateOf(recent), await stateOf(old)]).toEqual(['erased', undefined]);
  });
});

describe('the models that a project chose', () => {
  const configured = (project: ProjectReference, embedder: string, revision: number): ConfiguredProject => ({
    ...project,
    models: { embedder, reranker: '', revision },
  });

  test('are those of the newest choice, whichever event comes first', async () => {
    const project = await one.openProject();
    await one.projects.adoptModels(configured(project, 'second', 2));
    await two.projects.adoptModels(configured(project, 'first', 1));
    await two.projects.open(configured(project, 'first', 1));
    expect(await one.projects.findOpen(project.tenant)).toMatchObject({ models: { embedder: 'second' } });
  });

  test('open nothing: what is heard late of a project that was never opened, or closed, changes nothing', async () => {
    const unknown = { tenant: { orgId: 'acme', projectId: 'unheard' }, projectUid: uuidv7() };
    await one.projects.adoptModels(configured(unknown, 'x', 1));
    expect(await one.projects.findOpen(unknown.tenant)).toBeUndefined();
    const closed = await one.openProject();
    await one.projects.close(closed);
    await one.projects.adoptModels(configured(closed, 'x', 1));
    expect(await one.projects.findOpen(closed.tenant)).toBeUndefined();
  });
});

describe('the answers that a project was given', () => {
  const MAX_FORGOTTEN = 1_000;

  const answersOf = async ({ tenant }: ProjectReference): Promise<number> => {
    const [row] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM episodic.idempotency WHERE tenant = $1',
      [tenantName(tenant)],
    );
    return row?.count ?? 0;
  };

  const answer = ({ tenant }: ProjectReference, count: number): Promise<unknown> =>
    database.query(
      `INSERT INTO episodic.idempotency (tenant, operation, key, fingerprint, response, expires_at)
       SELECT $1, 'add', n::text, 'f', '{}', now() + interval '1 day' FROM generate_series(1, $2) AS n`,
      [tenantName(tenant), count],
    );

  test('are forgotten some at a time when it is erased', async () => {
    await database.query(
      `CREATE FUNCTION episodic.refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM gone) > ${MAX_FORGOTTEN} THEN RAISE EXCEPTION 'too many at once'; END IF;
         RETURN NULL; END $$`,
    );
    await database.query(
      `CREATE TRIGGER refuse_many AFTER DELETE ON episodic.idempotency
       REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION episodic.refuse_many()`,
    );
    const [project, other] = [await one.openProject(), await one.openProject()];
    await answer(project, 2 * MAX_FORGOTTEN + 500);
    await answer(other, 1);
    await one.projects.close(project);
    expect(await one.erased.confirm(project)).toBe(true);
    expect([await answersOf(project), await answersOf(other)]).toEqual([0, 1]);
  });

  test('stay when its name is that of another, whatever is confirmed again', async () => {
    const project = await one.openProject();
    await one.projects.close(project);
    await one.erased.confirm(project);
    await one.projects.open({ ...project, projectUid: uuidv7(), models: DEFAULT_MODELS });
    await answer(project, 3);
    expect(await one.erased.confirm(project)).toBe(true);
    expect(await answersOf(project)).toBe(3);
  });
});

test('a change of a project that waits for a write that does not end lets other adds go on', async () => {
  const [project, other] = [await one.openProject(), await one.openProject()];
  await two.unitOfWork.run(async (tx) => {
    await two.episodes.add(project.tenant, batchOf({}), tx);
    const changed = closer.projects
      .updateSettings(project.tenant, { enabled: false }, undefined)
      .catch((e: unknown) => e);
    const waits = async (): Promise<boolean> => {
      const rows = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
      return rows.length > 0;
    };
    await eventually(waits, { what: 'the change waits' });
    const added = [project, other].map(({ tenant }) => one.episodes.add(tenant, batchOf({})));
    expect(await Promise.all(added)).toEqual([true, true]);
    expect(await changed).toMatchObject({ code: 'database_unavailable' });
  });
  expect(await closer.projects.updateSettings(project.tenant, { enabled: false }, undefined)).toBe(true);
});

test('adds wait for no change of another project that they share a statement with', async () => {
  const [project, other] = [await one.openProject(), await one.openProject()];
  const added = await two.unitOfWork.run(async (tx) => {
    await two.projects.updateSettings(project.tenant, { ttlSeconds: 60 }, tx);
    const waiting = one.episodes.add(project.tenant, batchOf({}, {}));
    expect(await one.episodes.add(other.tenant, batchOf({}))).toBe(true);
    expect([await episodesOf(project), await episodesOf(other)]).toEqual([0, 1]);
    return { waiting };
  });
  expect(await added.waiting).toBe(true);
  const rows = await database.query(
    'SELECT uid FROM episodic.episodes WHERE project_uid = $1 AND expires_at IS NOT NULL',
    [project.projectUid],
  );
  expect(rows).toHaveLength(2);
});
