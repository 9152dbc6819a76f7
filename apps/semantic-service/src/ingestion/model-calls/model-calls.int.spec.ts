import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Instant, instantFromDate } from '@loci/contracts';
import { eventually } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../../database.js';
import { fullScope, type OpenProject, type Scope, scopeOf } from '../../projects/project.js';
import { locationOf, type MemorySet } from '../../sets/set.js';
import { KeptCallsRepository } from '../../settings/kept-calls.repository.js';
import {
  ADDED_AGAIN,
  ADDED_FIRST,
  MAX_MODEL_CALLS_PER_PROJECT,
  SemanticSpec,
  specAdd,
  specCitation,
} from '../../../test/semantic-spec.js';
import { type NewCall } from './model-calls.repository.js';

let spec: SemanticSpec;
let settings: KeptCallsRepository;
let project: OpenProject;
let set: MemorySet;
let scope: Scope;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  settings = new KeptCallsRepository(spec.unitOfWork);
});

afterAll(() => spec.close());

beforeEach(async () => {
  project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  set = await spec.newSet(project);
  scope = scopeOf(project, 'none');
});

const message = (episodeUid = uuidv7(), addedAt: Instant = ADDED_FIRST): NewCall['read'][number] => ({
  episodeUid,
  addedAt,
});

async function keep(changed: Partial<NewCall> = {}, of: MemorySet = set): Promise<string> {
  const uid = uuidv7();
  await spec.modelCalls.keep({
    uid,
    setUid: of.uid,
    orgId: of.orgId,
    projectUid: project.uid,
    kind: 'extraction',
    categories: ['profile'],
    model: 'gpt',
    replies: 1,
    inputTokens: 12,
    outputTokens: 3,
    cost: 0.25,
    durationMs: 40,
    begunAt: instantFromDate(new Date()),
    read: [message()],
    earlier: [],
    known: [],
    prompt: [{ role: 'user', content: 'I live in Graz.' }],
    reply: '{"commands":[]}',
    ...changed,
  });
  return uid;
}

/** Of the table itself, in the scope of all rows. */
const kept = async (): Promise<string[]> => {
  const rows = await spec.query<{ uid: string }>(
    `SELECT uid FROM ${SCHEMA}.model_calls WHERE project_uid = $1 ORDER BY uid`,
    [project.uid],
  );
  return rows.map(({ uid }) => uid);
};

const featureOf = async (of: MemorySet, ...cited: string[]): Promise<string> => {
  const citations = cited.map((uid) => specCitation(project.uid, uid));
  const { added } = await spec.apply(of, 'profile', [specAdd(`value ${uuidv7()}`, ...citations)]);
  return added[0] ?? '';
};

const configure = (changed: Parameters<KeptCallsRepository['configure']>[1]): Promise<void> =>
  spec.unitOfWork.run((tx) => settings.configure(project, changed, tx));

describe('a call that is kept', () => {
  test('says what was asked, replied, spent and made, in the list without its texts', async () => {
    const read = message();
    const uid = await keep({ read: [read] });
    const feature = await featureOf(set, read.episodeUid);
    await spec.unitOfWork.run((tx) =>
      spec.modelCalls.noteMade(
        { uid, setUid: set.uid },
        'profile',
        { added: [feature], updated: [], removed: [] },
        tx,
      ),
    );
    const listed = {
      uid,
      setId: set.id,
      kind: 'extraction',
      categories: ['profile'],
      model: 'gpt',
      replies: 1,
      inputTokens: 12,
      outputTokens: 3,
      cost: 0.25,
      durationMs: 40,
      messages: 1,
      features: 1,
    };
    const { calls, total } = await spec.modelCalls.list(scope, {}, { offset: 0, limit: 10 });
    expect(calls).toEqual([expect.objectContaining(listed)]);
    expect([total, Object.keys(calls[0] ?? {})]).toEqual([
      1,
      expect.not.arrayContaining(['prompt', 'reply']),
    ]);
    expect(await spec.modelCalls.find(scope, uid)).toMatchObject({
      ...listed,
      readUids: [read.episodeUid],
      made: [{ uid: feature, category: 'profile', action: 'add' }],
      prompt: [{ role: 'user', content: 'I live in Graz.' }],
      reply: '{"commands":[]}',
      isCut: false,
    });
  });

  test('is found by its set, its end and its time', async () => {
    const other = await spec.newSet(project, { tags: { team: 'x' } });
    const at = (day: number): Instant => instantFromDate(new Date(Date.now() - day * 86_400_000));
    const [first, failed, third] = [
      await keep({ begunAt: at(2) }),
      await keep({ begunAt: at(1), failure: { code: 'model_reply_unusable', reason: 'No.' } }),
      await keep({}, other),
    ];
    const found = async (wanted: Parameters<typeof spec.modelCalls.list>[1]): Promise<string[]> => {
      const { calls } = await spec.modelCalls.list(scope, wanted, { offset: 0, limit: 10 });
      return calls.map(({ uid }) => uid);
    };
    expect(await found({})).toEqual([third, failed, first]);
    expect(await found({ setId: other.id })).toEqual([third]);
    expect(await found({ isFailed: true })).toEqual([failed]);
    expect(await found({ isFailed: false })).toEqual([third, first]);
    expect(await found({ since: at(1.5), until: at(0.5) })).toEqual([failed]);
  });

  test('is there for its project alone, and in a set of the organization for callers who may see that', async () => {
    const neighbour = await spec.newProject({ orgId: project.tenant.orgId, projectId: 'next' });
    const shared = await spec.newSet(project, { isOrgLevel: true });
    const [own, ofShared] = [await keep(), await keep({}, shared)];
    const seen = async (by: Scope): Promise<string[]> => {
      const { calls } = await spec.modelCalls.list(by, {}, { offset: 0, limit: 10 });
      const found = await Promise.all([own, ofShared].map((uid) => spec.modelCalls.find(by, uid)));
      expect(found.flatMap((one) => one?.uid ?? []).sort()).toEqual(calls.map(({ uid }) => uid).sort());
      return calls.map(({ uid }) => uid).sort();
    };
    expect(await seen(scope)).toEqual([own]);
    expect(await seen(scopeOf(project, 'read'))).toEqual([own, ofShared].sort());
    expect(await seen(scopeOf(neighbour, 'change'))).toEqual([]);
    expect(await seen({ orgId: 'other', projectUid: project.uid, organization: 'change' })).toEqual([]);
  });

  test('displaces the oldest beyond what a project may keep', async () => {
    const uids: string[] = [];
    for (let count = 0; count < MAX_MODEL_CALLS_PER_PROJECT + 2; count += 1) uids.push(await keep());
    expect(await kept()).toEqual(uids.slice(2));
  });

  test('is displaced by no outage: of failures the newest are kept, a tenth of all at most', async () => {
    const failure = { code: 'model_unavailable', reason: 'There was no answer.' };
    const made = [await keep(), await keep()];
    await keep({ failure });
    await keep({ failure });
    const newest = await keep({ failure });
    expect(await kept()).toEqual([...made, newest]);
    const after = await keep();
    expect(await kept()).toEqual([...made, newest, after]);
  });
});

describe('a call is forgotten with', () => {
  test.each(['read', 'earlier'] as const)('a message that it shows (%s), in every set', async (as) => {
    const gone = message();
    const shared = await spec.newSet(project, { isOrgLevel: true });
    await keep({ [as]: [gone] });
    await keep({ [as]: [gone] }, shared);
    const other = await keep();
    await spec.forget(project.uid, [gone.episodeUid]);
    expect(await kept()).toEqual([other]);
  });

  test('a message that a feature rested on when the model was shown it', async () => {
    const [gone, left] = [uuidv7(), uuidv7()];
    const known = await featureOf(set, gone, left);
    await keep({ known: [known] });
    await spec.forget(project.uid, [gone]);
    expect(await kept()).toEqual([]);
  });

  test('a feature that a client deletes, shown or made', async () => {
    const feature = await featureOf(set, uuidv7());
    await keep({ known: [feature] });
    const maker = await keep();
    await spec.unitOfWork.run((tx) =>
      spec.modelCalls.noteMade(
        { uid: maker, setUid: set.uid },
        'profile',
        { added: [feature], updated: [], removed: [] },
        tx,
      ),
    );
    const other = await keep();
    await spec.unitOfWork.run(async (tx) => {
      await spec.writer.erase(tx, await spec.features.recordsOf(fullScope(locationOf(set)), [feature], tx));
    });
    expect(await kept()).toEqual([other]);
  });

  test('its set', async () => {
    await keep();
    await spec.query(`DELETE FROM ${SCHEMA}.sets WHERE uid = $1`, [set.uid]);
    expect(await kept()).toEqual([]);
  });
});

describe('a call is not kept', () => {
  test('when what it shows was forgotten while the model read it; one of a later life of a message is', async () => {
    const gone = uuidv7();
    const feature = await featureOf(set, gone);
    await spec.forget(project.uid, [gone]);
    await keep({ read: [message(gone)] });
    await keep({ earlier: [message(gone)] });
    await keep({ known: [feature] });
    expect(await kept()).toEqual([]);
    const again = await keep({ read: [message(gone, ADDED_AGAIN)] });
    expect(await kept()).toEqual([again]);
  });

  test('while a message that it shows is being forgotten: it waits, and then is not stored', async () => {
    const gone = message();
    let keeping: Promise<string> | undefined;
    await spec.unitOfWork.run(async (tx) => {
      await spec.projects.lock(project.uid, tx);
      keeping = keep({ read: [gone] });
      await eventually(() => spec.isBlocked(), { what: 'the call waits for the project' });
      const deleted = { projectUid: project.uid, uids: [gone.episodeUid], addedUntil: ADDED_FIRST };
      await spec.erasure.noteDeleted(deleted, tx);
      await spec.erasure.uncite(deleted, [], tx);
    });
    await keeping;
    expect(await kept()).toEqual([]);
  });

  test('of a project that is closed, and where the project keeps none; what is kept already goes then', async () => {
    await keep();
    await configure({ keepCallsDays: 0 });
    expect((await spec.modelCalls.list(scope, {}, { offset: 0, limit: 10 })).calls).toEqual([]);
    await spec.modelCalls.expire(AbortSignal.timeout(60_000));
    expect(await kept()).toEqual([]);
    await keep();
    expect(await kept()).toEqual([]);
    await configure({ keepCallsDays: 3 });
    await spec.projects.close({ tenant: project.tenant, projectUid: project.uid });
    await keep();
    expect(await kept()).toEqual([]);
  });

  test('with texts where the project says so, former ones neither', async () => {
    const before = await keep();
    await configure({ keepCallTexts: false });
    const after = await keep();
    for (const uid of [before, after]) {
      expect(await spec.modelCalls.find(scope, uid)).toMatchObject({ prompt: undefined, reply: undefined });
    }
  });

  test('beyond its time', async () => {
    const begunAt = instantFromDate(new Date(Date.now() - 8 * 86_400_000));
    const [old, recent] = [await keep({ begunAt }), await keep()];
    expect(await spec.modelCalls.find(scope, old)).toBeUndefined();
    await spec.modelCalls.expire(AbortSignal.timeout(60_000));
    expect(await kept()).toEqual([recent]);
  });
});
