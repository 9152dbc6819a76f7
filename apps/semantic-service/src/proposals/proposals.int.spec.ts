import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OrganizationAccess } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { randomUUID } from 'node:crypto';
import { servicesOf, type SpecServices } from '../../test/semantic-services.js';
import {
  ADDED_FIRST,
  MAX_PROPOSALS_PER_SET,
  SemanticSpec,
  specAdd,
  specCitation,
  specDate,
} from '../../test/semantic-spec.js';
import { byClient } from '../features/feature-origins.js';
import { type Citation, type Feature } from '../features/feature.js';
import { TRUSTED } from '../features/partition.js';
import { type StatedValidity } from '../features/validity.js';
import { type FeatureChange } from '../features/feature-change.js';
import { WrittenFeatureStore } from '../ingestion/extraction/written-feature-store.js';
import { fullScope, type OpenProject } from '../projects/project.js';
import { type FeatureContext } from '../search/feature-context.js';
import { locationOf, type MemorySet } from '../sets/set.js';
import { type Proposal } from './proposal.js';

const CATEGORY = 'profile';
const BY_MODEL = { kind: 'ingestion', jobId: 'job', model: 'gpt', episodes: [] } as const;
const PAGE = { pageSize: 10, pageNum: 0 };

let spec: SemanticSpec;
let services: SpecServices;
let store: WrittenFeatureStore;
let project: OpenProject;
let set: MemorySet;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  services = servicesOf(spec);
  store = new WrittenFeatureStore(
    spec.writer,
    spec.features,
    spec.history,
    spec.proposals,
    undefined as unknown as FeatureContext,
  );
});

beforeEach(async () => {
  project = await spec.newProject({ orgId: randomUUID(), projectId: 'main' });
  set = await spec.newSet(project);
  await spec.apply(set, CATEGORY, [specAdd('by hand')], byClient());
});

afterAll(() => spec.close());

/** As a model that was told to. @returns why what it asked for was refused altogether */
async function ask(
  kind: 'update' | 'delete',
  value = '',
  citation = specCitation(project.uid),
  { name = 'fact', ...validity }: StatedValidity & { readonly subject?: string; readonly name?: string } = {},
): Promise<string[]> {
  const refused: string[] = [];
  const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
  const partition = { ...TRUSTED, ...(set.projectUid === undefined && { sourceProjectUid: project.uid }) };
  const named = { tag: 'facts', name, citations: [citation], ...validity };
  const change: FeatureChange = kind === 'update' ? { kind, ...named, value } : { kind, ...named };
  await spec.unitOfWork.run((tx) =>
    store.apply(tx, {
      location,
      category: CATEGORY,
      partition,
      changes: [change],
      origin: BY_MODEL,
      onRefused: (_, reason) => void refused.push(reason),
    }),
  );
  return refused;
}

const list = async (organization: OrganizationAccess = 'change'): Promise<readonly Proposal[]> =>
  (await services.proposals.list({ tenant: project.tenant, organization, ...PAGE })).proposals;

const decide = (
  decision: 'accept' | 'reject',
  proposal: Proposal | undefined,
  organization: OrganizationAccess = 'change',
): Promise<void> =>
  services.proposals.decide({
    tenant: project.tenant,
    organization,
    proposalId: proposal?.uid ?? '',
    decision,
  });

const features = (): Promise<Feature[]> => spec.features.newest(locationOf(set), CATEGORY, { limit: 100 });
const values = async (): Promise<string[]> => (await features()).map(({ value }) => value);

const uidOf = async (): Promise<string> => (await features())[0]?.uid ?? '';

test('a change of what a client wrote is listed, with what it is about, and changes nothing', async () => {
  const citation = specCitation(project.uid);
  expect(await ask('update', 'told', citation)).toEqual([]);
  expect(await values()).toEqual(['by hand']);
  expect(await list()).toMatchObject([
    {
      setId: set.id,
      command: 'update',
      tag: 'facts',
      name: 'fact',
      value: 'told',
      model: 'gpt',
      features: [{ uid: await uidOf(), value: 'by hand' }],
      citations: [{ episodeUid: citation.episodeUid }],
    },
  ]);
});

test('what was learned is not made what a client wrote: that is proposed, and can be accepted', async () => {
  const city = (value: string, ...citations: Citation[]): FeatureChange & { kind: 'add' } => ({
    ...{ kind: 'add', subject: 'ada', tag: 'facts', name: 'city', value, citations },
  });
  await spec.apply(set, CATEGORY, [{ ...city('Rome'), validUntil: specDate('2024-05') }], byClient());
  await spec.apply(set, CATEGORY, [city('Paris', specCitation(project.uid))]);
  const since = { subject: 'ada', name: 'city', validFrom: specDate('2023') };
  expect(await ask('update', 'Rome', specCitation(project.uid), since)).toEqual([]);
  expect((await values()).sort()).toEqual(['Paris', 'by hand']);
  const [proposal, ...others] = await list();
  expect([proposal, others]).toMatchObject([{ subject: 'ada', features: [{ value: 'Paris' }] }, []]);
  await decide('accept', proposal);
  expect(await spec.known(set)).toContainEqual(
    expect.objectContaining({ value: 'Rome', trust: 'protected', validFrom: specDate('2023') }),
  );
});

test('what several messages propose alike is one proposal, which cites them all', async () => {
  await ask('update', 'told');
  await ask('update', 'told');
  await ask('delete');
  const found = await list();
  expect(found.map(({ command, citations }) => [command, citations.length])).toEqual([
    ['update', 2],
    ['delete', 1],
  ]);
});

test('a set has as many as it may; what is proposed beyond that is refused with the reason', async () => {
  for (let index = 0; index < MAX_PROPOSALS_PER_SET; index += 1) {
    expect(await ask('update', `told ${index}`)).toEqual([]);
  }
  expect(await ask('update', 'one more')).toEqual([expect.stringContaining('open proposals')]);
  expect(await ask('update', 'told 0')).toEqual([]);
  expect(await list()).toHaveLength(MAX_PROPOSALS_PER_SET);
});

describe('accepting', () => {
  test('changes the feature in the name of the client, and can be undone', async () => {
    const citation = specCitation(project.uid);
    await ask('update', 'told', citation);
    const author = { kind: 'api-key', id: 'k1' } as const;
    const [proposal] = await list();
    await RequestContext.run({ requestId: 'r', author }, () => decide('accept', proposal));
    expect(await features()).toMatchObject([
      { value: 'told', trust: 'protected', origin: { kind: 'client', author, model: 'gpt' } },
    ]);
    expect(await list()).toEqual([]);
    const scope = fullScope(set);
    const [latest] = await spec.history.ofFeature(scope, await uidOf());
    expect(latest).toMatchObject({
      origin: { kind: 'client', author, model: 'gpt' },
      after: { value: 'told' },
    });
    expect(latest?.after?.citations).toMatchObject([{ episodeUid: citation.episodeUid }]);
    const undo = { tenant: project.tenant, organization: 'change', featureId: await uidOf() } as const;
    await services.history.undo(undo);
    expect(await features()).toMatchObject([{ value: 'by hand', trust: 'protected' }]);
  });

  test('a delete removes it, and can be undone', async () => {
    await ask('delete');
    const featureId = await uidOf();
    await decide('accept', (await list())[0]);
    expect(await values()).toEqual([]);
    await services.history.undo({ tenant: project.tenant, organization: 'change', featureId });
    expect(await values()).toEqual(['by hand']);
  });

  test('is refused once the features are not what they were, and changes nothing', async () => {
    await ask('update', 'told');
    const change = { ...specAdd('changed meanwhile'), kind: 'update' as const, citations: [] };
    await spec.apply(
      set,
      CATEGORY,
      [{ ...change, tag: 'facts', name: 'fact', value: 'changed meanwhile' }],
      byClient(),
    );
    const [proposal] = await list();
    await expect(decide('accept', proposal)).rejects.toMatchObject({ code: 'proposal_outdated' });
    expect(await values()).toEqual(['changed meanwhile']);
    await decide('reject', proposal);
    expect(await list()).toEqual([]);
  });

  test('counts once, of two at the same time', async () => {
    await ask('update', 'told');
    const [proposal] = await list();
    const both = await Promise.allSettled([decide('accept', proposal), decide('accept', proposal)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'proposal_not_found' },
    });
  });

  test('is not for a key that is bound to a producer whom the project does not trust', async () => {
    await ask('update', 'told');
    const [proposal] = await list();
    await spec.unitOfWork.run((tx) =>
      spec.projects.configureLearning(project, { trustedProducers: ['ada'] }, tx),
    );
    const author = { kind: 'api-key', id: 'k', producer: 'web' } as const;
    const accepting = RequestContext.run({ requestId: 'r', author }, () => decide('accept', proposal));
    await expect(accepting).rejects.toMatchObject({ code: 'producer_not_allowed' });
    expect(await values()).toEqual(['by hand']);
  });
});

describe('in a set of an organization', () => {
  beforeEach(async () => {
    set = await spec.newSet(project, { isOrgLevel: true, tags: { user: project.uid } });
    const partition = { sourceProjectUid: project.uid, isTrusted: true };
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    const learned = specAdd('learned', specCitation(project.uid));
    const correct = { ...specAdd('corrected', specCitation(project.uid)), kind: 'update' } as typeof learned;
    for (const [change, origin] of [
      [learned, BY_MODEL],
      [correct, byClient()],
    ] as const) {
      const request = { location, category: CATEGORY, partition, changes: [change], origin };
      await spec.unitOfWork.run((tx) => spec.writer.apply(tx, request));
    }
    await ask('update', 'told');
  });

  test('a proposal does not exist for a key of one project, and takes the right to change to decide', async () => {
    const [proposal] = await list();
    expect(await list('none')).toEqual([]);
    await expect(decide('accept', proposal, 'none')).rejects.toMatchObject({ code: 'proposal_not_found' });
    await expect(decide('accept', proposal, 'read')).rejects.toMatchObject({ code: 'forbidden' });
    await decide('accept', proposal);
    expect(await values()).toEqual(['told']);
  });

  test('it goes with the project whose messages brought it about', async () => {
    await spec.erasure.eraseFeatures(project.uid);
    await spec.erasure.eraseSets(project.uid);
    expect(await list()).toEqual([]);
  });
});

describe('a proposal goes', () => {
  test('with its feature', async () => {
    await ask('update', 'told');
    const records = await spec.unitOfWork.run((tx) =>
      spec.features.records(locationOf(set), { category: CATEGORY }, tx),
    );
    await spec.unitOfWork.run((tx) => spec.writer.erase(tx, records));
    expect(await list()).toEqual([]);
  });

  test('with the messages that it was drawn from', async () => {
    const citation: Citation = specCitation(project.uid);
    await ask('update', 'told', citation);
    await spec.forget(project.uid, [citation.episodeUid]);
    expect(await list()).toEqual([]);
  });

  test('and is not made of messages that are deleted', async () => {
    const citation = specCitation(project.uid);
    await spec.forget(project.uid, [citation.episodeUid], ADDED_FIRST);
    await ask('update', 'told', citation);
    await ask('delete', '', citation);
    expect(await list()).toEqual([]);
  });
});

test('another tenant sees none of it', async () => {
  await ask('update', 'told');
  const [proposal] = await list();
  const mine = project;
  project = await spec.newProject({ orgId: 'globex', projectId: 'p' });
  expect(await list()).toEqual([]);
  await expect(decide('accept', proposal)).rejects.toMatchObject({ code: 'proposal_not_found' });
  project = mine;
});
