import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { inSpan, switchSpans } from '@loci/platform';
import { type VectorIndex } from '@loci/vectors';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type IndexVersion } from '../index-versions/index-version.js';
import { type IndexVersions } from '../index-versions/index-versions.js';
import { OpenIndexVersion } from '../index-versions/open-index-version.js';
import { WordChanges } from './word-changes.js';
import { ContentIndexer } from './content-indexer.js';
import { type IndexedContent } from './indexed-content.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const SPACE: IndexVersion = {
  uid: 'index version',
  ownerUid: 'project',
  state: 'active',
  embedder: 'embedder',
  fingerprint: 'model',
  dimensions: 3,
};

const refuse = (): Promise<never> => Promise.reject(new Error('This was not expected.'));
const removed: string[] = [];
const dropped: string[] = [];
const droppedAtOnce: number[] = [];
const vectors = {
  remove: (_: string, uids: readonly string[]) => Promise.resolve(void removed.push(...uids)),
  upsertAll: refuse,
} as Partial<VectorIndex> as VectorIndex;

/** Everything is in the index already, but what is gone. */
const content = {
  sort: (_: IndexVersion, uids: readonly string[]) =>
    Promise.resolve({ wanted: [], gone: uids.filter((uid) => uid.startsWith('gone')) }),
  dropTombstones: (_: string, uids: readonly string[]) => {
    dropped.push(...uids);
    droppedAtOnce.push(uids.length);
    return Promise.resolve();
  },
} as Partial<IndexedContent<string>> as IndexedContent<string>;

const active = new OpenIndexVersion(
  SPACE,
  vectors,
  { named: refuse, waitFor: refuse, waitForRows: refuse },
  { find: refuse },
);
const found = { active, building: undefined, all: [active], hasWaiting: true, wordsRevision: 0 };
const indexVersions = { ensure: () => Promise.resolve(found), find: () => Promise.resolve(found) };
const indexer = new ContentIndexer(
  indexVersions as Partial<IndexVersions> as IndexVersions,
  content,
  new WordChanges(),
);

beforeEach(() => {
  removed.length = 0;
  dropped.length = 0;
  droppedAtOnce.length = 0;
});

beforeAll(() => {
  provider.register();
  switchSpans('on');
});
afterEach(() => exporter.reset());
afterAll(async () => {
  switchSpans('off');
  trace.disable();
  await provider.shutdown();
});

test('a trace tells that the vectors were there already: of a sweep, or of a search that could not wait', async () => {
  await inSpan('process', {}, () => indexer.bringInLine('project', ['there', 'there too', 'gone']));
  const [span] = exporter.getFinishedSpans();
  expect(span?.name).toBe('index');
  expect(span?.attributes).toEqual({
    'loci.index.embedded': 0,
    'loci.index.removed': 1,
    'loci.index.there_before': 2,
  });
  expect(removed).toEqual(['gone']);
});

test('a purge that comes late leaves the vectors of what was imported again', async () => {
  await indexer.purge('project', ['gone', 'there again']);
  expect(removed).toEqual(['gone']);
  expect(dropped).toEqual(['gone', 'there again']);
  await indexer.purge('project', ['there again']);
  expect(removed).toEqual(['gone']);
});

test('a purge of many is done in parts', async () => {
  const uids = Array.from({ length: 2_500 }, (_, index) => `gone ${index}`);
  await indexer.purge('project', uids);
  expect(removed).toEqual(uids);
  expect(dropped).toEqual(uids);
  expect(droppedAtOnce).toEqual([1_000, 1_000, 500]);
});
