import { expect, test } from '@jest/globals';
import { type ModelFactory, type ModelPeers, type Reranker } from '@loci/models';
import { partsOf } from '@loci/registry';
import { ModelResourceProber } from './model-resource-prober.js';
import { type ResourceDefinition } from './resource.js';

const LEVELS = 20;

const level = (of: number): ResourceDefinition[] =>
  ['left', 'right'].map((side) => ({
    kind: 'reranker',
    name: `${side} ${of}`,
    provider: of === 0 ? 'bm25' : 'rrf-hybrid',
    config: of === 0 ? {} : { reranker_ids: [`left ${of - 1}`, `right ${of - 1}`] },
  }));

test('what a reranker is made of in many ways is built once, and closed', async () => {
  const open: string[] = [];
  let builds = 0;
  const factory = {
    probe: async (whole: ResourceDefinition, peers: ModelPeers) => {
      await factory.reranker(whole, peers);
      return { ok: true };
    },
    reranker: async (one: ResourceDefinition, peers: ModelPeers) => {
      builds += 1;
      await Promise.all(partsOf(one).map(({ name }) => peers.reranker(name)));
      open.push(one.name);
      const close = (): Promise<void> => Promise.resolve(void open.splice(open.indexOf(one.name), 1));
      return { name: one.name, close } as unknown as Reranker;
    },
  };
  const all = Array.from({ length: LEVELS }, (_, of) => level(of)).flat();
  const whole = { ...level(LEVELS)[0], name: 'whole' } as ResourceDefinition;
  const prober = new ModelResourceProber(factory as unknown as ModelFactory);
  expect(await prober.probe(whole, all, AbortSignal.timeout(30_000))).toEqual({ ok: true });
  expect(builds).toBe(2 * LEVELS + 1);
  expect(open).toEqual(['whole']);
});
