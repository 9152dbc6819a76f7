import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type IndexVersions } from '@loci/indexing';
import { type RpcClient } from '@loci/messaging';
import { ERASURE, ErasedProjects, Idempotency, WorkLeases } from '@loci/persistence';
import { eventually } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { type SemanticServiceEnv } from '../env.js';
import { type OpenProject } from '../projects/project.js';
import { ProjectsController } from '../projects/projects.controller.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type FeatureChange } from '../features/feature-change.js';
import { type Citation } from '../features/feature.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { ADDED_AGAIN, ADDED_FIRST, SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
import { ForgettingService } from '../forgetting/forgetting.service.js';
import { ERASED_PROJECTS } from './erasure.module.js';
import { ProjectEraser } from './project-eraser.js';

let spec: SemanticSpec;
let project: OpenProject;
let neighbour: OpenProject;
let ours: MemorySet;
let theirs: MemorySet;
let shared: MemorySet;

beforeAll(async () => {
  spec = await SemanticSpec.create();
});

afterAll(() => spec.close());

beforeEach(async () => {
  const orgId = uuidv7();
  project = await spec.newProject({ orgId, projectId: 'main' });
  neighbour = await spec.newProject({ orgId, projectId: 'next' });
  ours = await spec.newSet(project);
  theirs = await spec.newSet(neighbour);
  shared = await spec.newSet(project, { isOrgLevel: true });
});

const valuesIn = async (set: MemorySet): Promise<string[]> =>
  (await spec.features.newest(locationOf(set), 'c', { limit: 100 })).map(({ value }) => value).sort();

const citedIn = async (set: MemorySet): Promise<string[]> => {
  const rows = await spec.query<{ uid: string }>(
    `SELECT DISTINCT episode_uid AS uid FROM ${SCHEMA}.citations
     WHERE feature_uid IN (SELECT uid FROM ${SCHEMA}.features WHERE set_uid = $1)`,
    [set.uid],
  );
  return rows.map(({ uid }) => uid).sort();
};

/** How many features would go with episodes. */
function learnedOnlyFrom({ tenant }: OpenProject, ...episodeUids: string[]): Promise<number> {
  const projects = new ProjectsService(spec.projects, {} as RpcClient, {} as SemanticServiceEnv);
  return new ForgettingService(projects, spec.unitOfWork).countLearnedOnlyFrom({ tenant, episodeUids });
}

const isTransactionWaiting = async (): Promise<boolean> =>
  (
    await spec.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).length > 0;

describe('an episode that is deleted', () => {
  test('takes its citations with it in every set, and features that only an ingestion made and nothing else supports, as was said before', async () => {
    const [gone, kept] = [specCitation(project.uid), specCitation(project.uid)];
    await spec.apply(ours, 'c', [specAdd('lost', gone), specAdd('stays', gone, kept)]);
    await spec.apply(ours, 'c', [specAdd('by hand', gone)], { kind: 'client', episodes: [] });
    await spec.apply(shared, 'c', [specAdd('lost too', gone), specAdd('unrelated', kept)]);
    expect(await learnedOnlyFrom(project, gone.episodeUid)).toBe(2);
    expect(await learnedOnlyFrom(project, gone.episodeUid, kept.episodeUid)).toBe(4);
    expect(await learnedOnlyFrom(neighbour, gone.episodeUid)).toBe(0);
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await valuesIn(ours)).toEqual(['by hand', 'stays']);
    expect(await learnedOnlyFrom(project, gone.episodeUid)).toBe(0);
    expect(await valuesIn(shared)).toEqual(['unrelated']);
    expect(await citedIn(ours)).toEqual([kept.episodeUid]);
    expect(await citedIn(shared)).toEqual([kept.episodeUid]);
  });

  test('leaves what a client wrote, without the citation', async () => {
    const gone = specCitation(project.uid);
    await spec.apply(ours, 'c', [specAdd('by hand', gone)], { kind: 'client', episodes: [] });
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await valuesIn(ours)).toEqual(['by hand']);
    expect(await citedIn(ours)).toEqual([]);
  });

  test('takes nothing of another project, not even under the same uid', async () => {
    const episodeUid = uuidv7();
    await spec.apply(theirs, 'c', [specAdd('theirs', specCitation(neighbour.uid, episodeUid))]);
    await spec.apply(ours, 'c', [specAdd('ours', specCitation(project.uid, episodeUid))]);
    await spec.forget(project.uid, [episodeUid]);
    expect([await valuesIn(ours), await valuesIn(theirs)]).toEqual([[], ['theirs']]);
    expect(await citedIn(theirs)).toEqual([episodeUid]);
  });

  test('and was added again is learned from; what had read the deleted one, or hears of it late, changes nothing', async () => {
    const former = specCitation(project.uid);
    const later = specCitation(project.uid, former.episodeUid, ADDED_AGAIN);
    await spec.apply(ours, 'c', [specAdd('lost', former)]);
    await spec.forget(project.uid, [former.episodeUid]);
    await spec.apply(ours, 'c', [specAdd('read before the deletion', former)]);
    expect(await valuesIn(ours)).toEqual([]);
    await spec.apply(ours, 'c', [specAdd('learned again', later)]);
    await spec.forget(project.uid, [former.episodeUid]);
    expect(await valuesIn(ours)).toEqual(['learned again']);
    expect(await citedIn(ours)).toEqual([later.episodeUid]);
    await spec.forget(project.uid, [later.episodeUid], ADDED_AGAIN);
    expect(await valuesIn(ours)).toEqual([]);
  });

  test('waits for a change of a set that cites it, which goes on as if it were still there', async () => {
    const gone = specCitation(neighbour.uid);
    await spec.apply(shared, 'c', [specAdd('shared', specCitation(project.uid), gone)]);
    let forgotten: Promise<void> | undefined;
    await spec.unitOfWork.run(async (tx) => {
      await spec.features.lockSets([shared.uid], tx);
      const [before] = await spec.features.records(locationOf(shared), { category: 'c' }, tx);
      if (!before) throw new Error('The feature is not there.');
      forgotten = spec.forget(neighbour.uid, [gone.episodeUid]);
      await eventually(isTransactionWaiting, { what: 'the deletion waits for the set' });
      const changed = { ...before, value: 'changed' };
      await spec.writer.write(tx, changed, before, { kind: 'client', episodes: [] });
    });
    await forgotten;
    expect(await valuesIn(shared)).toEqual(['changed']);
    expect(await citedIn(shared)).not.toContain(gone.episodeUid);
  });

  test('may be told of twice', async () => {
    const gone = specCitation(project.uid);
    await spec.apply(ours, 'c', [specAdd('lost', gone)]);
    await spec.forget(project.uid, [gone.episodeUid]);
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await valuesIn(ours)).toEqual([]);
  });
});

describe('a project that is deleted', () => {
  const TABLES = [
    ...['features', 'sets', 'categories', 'set_types', 'feature_history', 'citations', 'deleted_episodes'],
    ...['ingestion_jobs', 'model_calls'],
  ];

  const rowsOf = async (projectUid: string): Promise<Record<string, number>> => {
    const counts = TABLES.map(
      (table) => `(SELECT count(*)::int FROM ${SCHEMA}.${table} WHERE project_uid = $1) AS ${table}`,
    );
    const [row] = await spec.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, [projectUid]);
    return row ?? {};
  };

  /** One of everything that can belong to a project. */
  async function fill(owner: OpenProject, set: MemorySet): Promise<void> {
    const { orgId } = owner.tenant;
    await spec.apply(set, 'c', [specAdd('own', specCitation(owner.uid))]);
    await spec.unitOfWork.run(async (tx) => {
      const type = { uid: uuidv7(), orgId, projectUid: owner.uid, tags: ['room'] };
      await spec.sets.addType({ ...type, name: undefined, description: undefined }, tx);
      const category = { uid: uuidv7(), name: 'c', prompt: 'p', description: undefined };
      await spec.categories.add({ ...category, parent: { setUid: set.uid } }, set, tx);
      await spec.erasure.noteDeleted(
        { projectUid: owner.uid, uids: [uuidv7()], addedUntil: ADDED_FIRST },
        tx,
      );
    });
    await spec.query(
      `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid) VALUES ($1, $2, $3)`,
      [set.uid, orgId, owner.uid],
    );
    await spec.query(
      `INSERT INTO ${SCHEMA}.model_calls
         (uid, set_uid, org_id, project_uid, kind, categories, model, replies, input_tokens, output_tokens, duration_ms,
          read_uids, episode_uids, feature_uids, is_cut, begun_at, expires_at)
       VALUES ($1, $2, $3, $4, 'extraction', '{}', 'gpt', 1, 1, 1, 1, '{}', '{}', '{}', false, now(), now())`,
      [uuidv7(), set.uid, orgId, owner.uid],
    );
  }

  const eraser = (): {
    eraser: ProjectEraser;
    erased: ErasedProjects;
    leases: WorkLeases;
    tenants: string[];
  } => {
    const tenants: string[] = [];
    const indexVersions = {
      erase: (owner: string) => Promise.resolve(void tenants.push(owner)),
    } as Partial<IndexVersions> as IndexVersions;
    const idempotency = new Idempotency(
      { url: spec.url, schema: SCHEMA, entities: ENTITIES },
      spec.unitOfWork,
    );
    const { projects, erasure, forgetter, backlog, unitOfWork, outbox } = spec;
    const leases = new WorkLeases({ schema: SCHEMA }, unitOfWork);
    const erased = new ErasedProjects(
      ...([ERASED_PROJECTS, unitOfWork, idempotency, outbox, leases, spec.logger] as const),
    );
    const made = new ProjectEraser(projects, erasure, forgetter, backlog, indexVersions, erased);
    return { eraser: made, erased, leases, tenants };
  };

  test('leaves no row of its own, and every row of its neighbour', async () => {
    await fill(project, ours);
    await fill(neighbour, theirs);
    const before = await rowsOf(neighbour.uid);
    expect(Object.values(await rowsOf(project.uid))).toEqual(TABLES.map(() => 1));
    const { eraser: erasing, tenants } = eraser();
    await erasing.erase({ tenant: project.tenant, projectUid: project.uid });
    expect(Object.values(await rowsOf(project.uid))).toEqual(TABLES.map(() => 0));
    expect(await rowsOf(neighbour.uid)).toEqual(before);
    expect(tenants).toEqual([ours.uid]);
  });

  test('whose process died three times is set aside until a person asks; others are erased, nothing comes back', async () => {
    await fill(project, ours);
    await fill(neighbour, theirs);
    const { eraser: erasing, leases } = eraser();
    const reference = { tenant: project.tenant, projectUid: project.uid };
    await spec.projects.close(reference);
    for (let deaths = 0; deaths < 3; deaths += 1) {
      expect(await leases.claim(ERASURE, project.uid, -1)).toBeDefined();
    }
    await erasing.erase(reference);
    expect(Object.values(await rowsOf(project.uid))).toEqual(TABLES.map(() => 1));
    expect(await spec.projects.findOpen(project.tenant)).toBeUndefined();
    await erasing.erase({ tenant: neighbour.tenant, projectUid: neighbour.uid });
    expect(Object.values(await rowsOf(neighbour.uid))).toEqual(TABLES.map(() => 0));
    // the project is deleted again
    const service = new ProjectsService(spec.projects, {} as RpcClient, {} as SemanticServiceEnv);
    await new ProjectsController(service, leases).close(reference);
    await erasing.erase(reference);
    expect(Object.values(await rowsOf(project.uid))).toEqual(TABLES.map(() => 0));
  });

  test('that a process was told to stop in the middle of does not count as unfinished', async () => {
    await fill(project, ours);
    const { eraser: erasing, erased, leases } = eraser();
    const lock = jest.spyOn(spec.erasure, 'setsOf').mockImplementationOnce(async (projectUid) => {
      await erased.onModuleDestroy();
      const [row] = await spec.query<{ unfinished: number }>(
        `SELECT unfinished FROM ${SCHEMA}.work_leases WHERE key = $1`,
        [projectUid],
      );
      expect(row).toEqual({ unfinished: 0 });
      return [];
    });
    await erasing.erase({ tenant: project.tenant, projectUid: project.uid });
    expect(lock).toHaveBeenCalledTimes(1);
    lock.mockRestore();
    expect(await leases.isSetAside(ERASURE, project.uid)).toBe(false);
  });

  test('leaves in sets of its organization what others had a part in', async () => {
    const [own, other] = [specCitation(project.uid), specCitation(neighbour.uid)];
    await spec.apply(shared, 'c', [specAdd('only of it', own), specAdd('of both', own, other)]);
    await eraser().eraser.erase({ tenant: project.tenant, projectUid: project.uid });
    expect(await valuesIn(shared)).toEqual(['of both']);
    expect(await citedIn(shared)).toEqual([other.episodeUid]);
  });

  test('brings back in sets of its organization what only its messages denied, and leaves no word of its own in their history', async () => {
    const [theirOwn, own, denial] = [
      specCitation(neighbour.uid),
      specCitation(project.uid),
      specCitation(project.uid),
    ];
    const deny = (name: string, ...citations: Citation[]): FeatureChange => ({
      ...{ kind: 'delete', tag: 'facts', name, citations },
    });
    await spec.apply(shared, 'c', [
      specAdd('of the neighbour', theirOwn),
      { ...specAdd('of the project', own), name: 'other' } as FeatureChange,
    ]);
    await spec.apply(shared, 'c', [deny('fact', denial)]);
    await spec.apply(shared, 'c', [deny('other', theirOwn)]);
    expect(await valuesIn(shared)).toEqual([]);
    await eraser().eraser.erase({ tenant: project.tenant, projectUid: project.uid });
    expect(await valuesIn(shared)).toEqual(['of the neighbour']);
    const history = await spec.query(`SELECT * FROM ${SCHEMA}.feature_history WHERE set_uid = $1`, [
      shared.uid,
    ]);
    expect(history).not.toEqual([]);
    expect(JSON.stringify(history)).not.toContain('of the project');
    expect(JSON.stringify(history)).not.toContain(project.uid);
  });
});
