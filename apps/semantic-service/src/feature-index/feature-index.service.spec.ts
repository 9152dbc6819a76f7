import { expect, test } from '@jest/globals';
import { type FeatureIndex, unavailable } from '@loci/contracts';
import { type Embedders } from '@loci/indexing';
import { type Embedder } from '@loci/models';
import { type ProjectsService } from '../projects/projects.service.js';
import {
  type FeatureIndexRepository,
  type IndexVersionsInState,
  type WantedEmbedder,
} from './feature-index.repository.js';
import { FeatureIndexService } from './feature-index.service.js';

interface Found {
  readonly counts: { readonly features: number; readonly indexed: number };
  readonly indexVersions: readonly IndexVersionsInState[];
  readonly wanted: readonly WantedEmbedder[];
  readonly problem: string | undefined;
}

const repositoryWith = ({
  counts,
  indexVersions,
  wanted,
  problem,
}: Found): Pick<FeatureIndexRepository, keyof FeatureIndexRepository> => ({
  counts: () => Promise.resolve(counts),
  indexVersions: () => Promise.resolve([...indexVersions]),
  wanted: () => Promise.resolve([...wanted]),
  problem: () => Promise.resolve(problem),
});

const by = (embedder: string, indexed: number) => ({
  embedder,
  fingerprint: `${embedder}-4`,
  dimensions: 4,
  sets: 1,
  indexed,
});

/** Two embedders are ready: `old` and `new`. */
function indexOf(found: Partial<Found>): Promise<FeatureIndex> {
  const projects = {
    scope: () => Promise.resolve({ orgId: 'acme', projectUid: undefined }),
  } as unknown as ProjectsService;
  const embedders = {
    defaultName: 'new',
    namedSoon: (name: string) =>
      ['old', 'new'].includes(name)
        ? Promise.resolve({ fingerprint: `${name}-4`, dimensions: 4 } as Embedder)
        : Promise.reject(unavailable('resource_not_ready', `'${name}' is not ready.`)),
  } as unknown as Embedders;
  const all = {
    counts: { features: 2, indexed: 2 },
    indexVersions: [],
    wanted: [],
    problem: undefined,
    ...found,
  };
  const repository = repositoryWith(all);
  return new FeatureIndexService(projects, repository, embedders).get({
    tenant: { orgId: 'acme', projectId: 'p' },
    organization: 'read',
  });
}

test('ready: all is where it should be', async () => {
  const indexVersions = [{ state: 'active' as const, progress: by('new', 2) }];
  expect(await indexOf({ indexVersions, wanted: [{ embedder: 'new', fingerprint: 'new-4' }] })).toEqual({
    state: 'ready',
    embedder: 'new',
    features: 2,
    problem: undefined,
    active: [by('new', 2)],
    target: [],
  });
});

test('indexing: something has no vector yet', async () => {
  expect(await indexOf({ counts: { features: 2, indexed: 1 } })).toMatchObject({ state: 'indexing' });
});

test('moving: a set is on its way, or is about to be', async () => {
  const indexVersions = [
    { state: 'active' as const, progress: by('old', 2) },
    { state: 'building' as const, progress: by('new', 1) },
  ];
  expect(await indexOf({ indexVersions })).toMatchObject({
    state: 'moving',
    active: [by('old', 2)],
    target: [by('new', 1)],
  });
  const wanted = [{ embedder: 'new', fingerprint: 'old-4' }];
  expect(await indexOf({ wanted })).toMatchObject({ state: 'moving', target: [] });
});

test('waiting: an embedder that a set should use is not ready, or fails on the way', async () => {
  const wanted = [{ embedder: 'lost', fingerprint: undefined }];
  expect(await indexOf({ wanted })).toMatchObject({ state: 'waiting', problem: `'lost' is not ready.` });
  expect(await indexOf({ problem: 'It is down.' })).toMatchObject({
    state: 'waiting',
    problem: 'It is down.',
  });
});
