import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { inSpan, switchSpans } from '@loci/platform';
import { type VectorIndex } from '@loci/vectors';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type IndexSpace } from '../spaces/index-space.js';
import { OpenSpace } from '../spaces/open-space.js';
import { EpisodeIndexer } from './episode-indexer.js';
import { type IndexStateRepository } from './index-state.repository.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const SPACE: IndexSpace = {
  uid: 'space',
  projectUid: 'project',
  state: 'active',
  embedder: 'embedder',
  fingerprint: 'model',
  dimensions: 3,
};

const refuse = (): Promise<never> => Promise.reject(new Error('Nobody asked for this.'));
const removed: string[] = [];
const vectors = {
  remove: (_: string, uids: readonly string[]) => Promise.resolve(void removed.push(...uids)),
  upsert: refuse,
} as Partial<VectorIndex> as VectorIndex;

/** Everything is in the index already, but what is gone. */
const state = {
  sort: (_: IndexSpace, uids: readonly string[]) =>
    Promise.resolve({ wanted: [], gone: uids.filter((uid) => uid.startsWith('gone')) }),
} as Partial<IndexStateRepository> as IndexStateRepository;

const active = new OpenSpace(SPACE, vectors, { named: refuse });
const spaces = {
  ensure: () => Promise.resolve({ active, building: undefined, all: [active] }),
  find: refuse,
};
const indexer = new EpisodeIndexer(spaces, state);

beforeAll(() => {
  provider.register();
  switchSpans('on');
});
afterEach(() => exporter.reset());
afterAll(async () => {
  switchSpans('off');
  await provider.shutdown();
});

test('a trace tells that the vectors were there already: of a sweep, or of a search that could not wait', async () => {
  await inSpan('process', {}, () => indexer.bringInLine('project', ['there', 'there too', 'gone']));
  const [index] = exporter.getFinishedSpans();
  expect(index?.name).toBe('index episodes');
  expect(index?.attributes).toEqual({
    'loci.episodes.embedded': 0,
    'loci.episodes.removed': 1,
    'loci.episodes.indexed_before': 2,
  });
  expect(removed).toEqual(['gone']);
});
