import { afterAll, beforeAll } from '@jest/globals';
import { FakeModels } from '@loci/testing';
import { embedderConformance } from '../test/embedder-conformance.js';
import { languageModelConformance } from '../test/language-model-conformance.js';
import { PROTOCOLS } from '../test/language-model-protocols.js';
import { rerankerConformance } from '../test/reranker-conformance.js';
import {
  definitionsAt,
  EMBEDDERS,
  LANGUAGE_MODELS,
  noPeers,
  RERANKERS,
  testFactory,
} from '../test/test-factory.js';
import { BorrowedEmbedder } from './embedding/borrowed-embedder.js';
import { EmbedderReranker } from './rerankers/embedder-reranker.js';
import { IdentityReranker } from './rerankers/identity-reranker.js';
import { type Reranker } from './reranker.js';
import { RrfHybridReranker } from './rerankers/rrf-hybrid-reranker.js';

let fake: FakeModels;

beforeAll(async () => {
  fake = await FakeModels.start();
});
afterAll(() => fake.close());

const embedder = (provider: (typeof EMBEDDERS)[number]) =>
  testFactory().embedder(definitionsAt(fake)[provider]);

for (const provider of EMBEDDERS) {
  embedderConformance(provider, () => embedder(provider));
}
embedderConformance('a borrowed one', async () => new BorrowedEmbedder(await embedder('openAiEmbedder')));

const bm25 = (): Promise<Reranker> =>
  testFactory().reranker({ kind: 'reranker', name: 'bm25', provider: 'bm25', config: {} }, noPeers);
const identity = new IdentityReranker('identity');

for (const provider of RERANKERS) {
  rerankerConformance(provider, () => testFactory().reranker(definitionsAt(fake)[provider], noPeers));
}
rerankerConformance('identity', () => Promise.resolve(identity));
rerankerConformance('bm25', bm25);
rerankerConformance('one by an embedder', async () => new EmbedderReranker('e', await embedder('titan')));
rerankerConformance('rrf-hybrid', async () => new RrfHybridReranker('rrf', [identity, await bm25()], 60));

for (const provider of LANGUAGE_MODELS) {
  languageModelConformance(provider, PROTOCOLS[provider], (server, { config, ...options } = {}) => {
    const definition = definitionsAt(server)[provider];
    return testFactory(options).languageModel({ ...definition, config: { ...definition.config, ...config } });
  });
}
