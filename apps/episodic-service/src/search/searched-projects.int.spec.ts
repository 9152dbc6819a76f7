import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parseFilter, type ProjectReference } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { batchOf, CONVERSATIONS, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { SearchedProjects } from './searched-projects.js';

const MODELS = { embedder: '', reranker: '', revision: 0 };

let replica: Replica;
let another: Replica;
let project: ProjectReference;
let searched: SearchedProjects;
/** How often a project was looked for by its name. */
const byName = jest.fn<(tenant: ProjectReference['tenant']) => ReturnType<Replica['projects']['findOpen']>>();

useReplicas(async ({ openReplica }) => {
  [replica, another] = [await openReplica(), await openReplica()];
});

beforeEach(async () => {
  byName.mockReset().mockImplementation((tenant) => replica.projects.findOpen(tenant));
  searched = new SearchedProjects(replica.unitOfWork, { find: byName });
  project = await replica.openProject();
});

const uidNow = async (): Promise<string | undefined> => (await searched.find(project.tenant))?.project.uid;

describe('a project that was searched before', () => {
  test('is not looked for by its name again', async () => {
    expect([await uidNow(), await uidNow()]).toEqual([project.projectUid, project.projectUid]);
    expect(byName).toHaveBeenCalledTimes(1);
  });

  test('is not there once another replica has closed it', async () => {
    await uidNow();
    await another.projects.close(project);
    expect(await uidNow()).toBeUndefined();
  });

  test('is another one as soon as another replica has made it anew under its name', async () => {
    await replica.addEach(project.tenant, ['said in the first']);
    await uidNow();
    await another.projects.close(project);
    const successor = { tenant: project.tenant, projectUid: uuidv7() };
    await another.projects.open({ ...successor, models: MODELS });
    expect(await searched.find(project.tenant)).toMatchObject({
      project: { uid: successor.projectUid },
      index: { indexVersions: [], hasWaiting: false, wordsRevision: 0 },
      participants: [],
    });
    expect(await uidNow()).toBe(successor.projectUid);
  });

  test('has the settings and the models of this moment', async () => {
    await uidNow();
    await another.projects.updateSettings(project.tenant, { shortTermEnabled: false }, undefined);
    await another.projects.adoptModels({ ...project, models: { ...MODELS, embedder: 'new', revision: 1 } });
    expect((await searched.find(project.tenant))?.project).toEqual({
      uid: project.projectUid,
      tenant: project.tenant,
      settings: { enabled: true, longTermEnabled: true, shortTermEnabled: false, ttlSeconds: 0 },
      models: { embedder: 'new', reranker: '' },
    });
  });
});

test('a project that was never opened is not there', async () => {
  expect(await searched.find({ orgId: 'acme', projectId: 'never' })).toBeUndefined();
});

test('the index versions of the project are told, and what was acknowledged a moment ago waits', async () => {
  const active = await replica.activate(project, 'spec-4-00000001');
  expect(await searched.find(project.tenant)).toMatchObject({
    index: { indexVersions: [active], hasWaiting: false, wordsRevision: 0 },
  });
  await another.addEach(project.tenant, ['x']);
  expect(await searched.find(project.tenant)).toMatchObject({ index: { hasWaiting: true } });
});

describe('participants', () => {
  const participants = async (filter?: string): Promise<string[]> => {
    const conversation = filter === undefined ? undefined : CONVERSATIONS.askedFor(parseFilter(filter));
    return [...((await searched.find(project.tenant, conversation))?.participants ?? [])].sort();
  };

  test('are who spoke, each once, and of this project only', async () => {
    await replica.episodes.add(
      project.tenant,
      batchOf({ producerId: 'ann' }, { producerId: 'bob' }, { producerId: 'ann' }),
    );
    expect(await participants()).toEqual(['ann', 'bob']);
    project = await replica.openProject();
    expect(await participants()).toEqual([]);
  });

  test('can be asked of one conversation', async () => {
    await replica.episodes.add(
      project.tenant,
      batchOf({ producerId: 'ann' }, { producerId: 'eve', metadata: { thread_id: 't' } }),
    );
    expect(await participants("metadata.thread_id = 't'")).toEqual(['eve']);
    expect(await participants()).toEqual(['ann', 'eve']);
  });

  test('are looked for among the newest 5,000, of which any number is outside of long-term memory', async () => {
    await replica.episodes.add(
      project.tenant,
      batchOf({ producerId: 'bob', createdAt: instant('2022-01-01T00:00:00Z') }),
    );
    await replica.addMany(project.projectUid, 4_999, `'2023-01-01'::timestamptz + n * interval '1 minute'`);
    expect(await participants()).toEqual(['bob']);
    await replica.addMany(project.projectUid, 1, 'now()');
    expect(await participants()).toEqual([]);
  });
});
