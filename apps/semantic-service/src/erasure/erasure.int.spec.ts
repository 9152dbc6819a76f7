import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type IndexVersions } from '@loci/indexing';
import { ErasedProjects, Idempotency } from '@loci/persistence';
import { eventually } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { type OpenProject } from '../projects/project.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { ADDED_AGAIN, ADDED_FIRST, SemanticSpec, specAdd, specCitation } from '../../test/semantic-spec.js';
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
  (await spec.features.newest(set.uid, 'c', { limit: 100 })).map(({ value }) => value).sort();

const citedIn = async (set: MemorySet): Promise<string[]> => {
  const rows = await spec.query<{ uid: string }>(
    `SELECT DISTINCT episode_uid AS uid FROM ${SCHEMA}.citations
     WHERE feature_uid IN (SELECT uid FROM ${SCHEMA}.features WHERE set_uid = $1)`,
    [set.uid],
  );
  return rows.map(({ uid }) => uid).sort();
};

const isTransactionWaiting = async (): Promise<boolean> =>
  (
    await spec.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).length > 0;

describe('an episode that is deleted', () => {
  test('takes its citations with it in every set, and features that only an ingestion made and nothing else supports', async () => {
    const [gone, kept] = [specCitation(project.uid), specCitation(project.uid)];
    await spec.apply(ours, 'c', [specAdd('lost', gone), specAdd('stays', gone, kept)]);
    await spec.apply(shared, 'c', [specAdd('lost too', gone), specAdd('unrelated', kept)]);
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await valuesIn(ours)).toEqual(['stays']);
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
    ...['ingestion_jobs'],
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
  }

  const eraser = (): { eraser: ProjectEraser; tenants: string[] } => {
    const tenants: string[] = [];
    const indexVersions = {
      erase: (owner: string) => Promise.resolve(void tenants.push(owner)),
    } as Partial<IndexVersions> as IndexVersions;
    const idempotency = new Idempotency(
      { url: spec.url, schema: SCHEMA, entities: ENTITIES },
      spec.unitOfWork,
    );
    const { projects, erasure, forgetter, backlog, unitOfWork, outbox } = spec;
    const erased = new ErasedProjects(ERASED_PROJECTS, unitOfWork, idempotency, outbox);
    const made = new ProjectEraser(projects, erasure, forgetter, backlog, unitOfWork, indexVersions, erased);
    return { eraser: made, tenants };
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

  test('leaves in sets of its organization what others had a part in', async () => {
    const [own, other] = [specCitation(project.uid), specCitation(neighbour.uid)];
    await spec.apply(shared, 'c', [specAdd('only of it', own), specAdd('of both', own, other)]);
    await eraser().eraser.erase({ tenant: project.tenant, projectUid: project.uid });
    expect(await valuesIn(shared)).toEqual(['of both']);
    expect(await citedIn(shared)).toEqual([other.episodeUid]);
  });
});
