import { expect, test } from '@jest/globals';
import { noPeers, testFactory } from '../../test/test-factory.js';
import { LocalEmbedder } from './local-embedder.js';
import { type LocalModelName, miniLm, pinned } from './local-model.js';

test('a resource whose package is not installed fails with the command that installs it', async () => {
  const absent = { name: '@loci/no-such-models', version: '1.2.3', folder: 'models' };
  const factory = testFactory({
    localEmbedder: async () =>
      LocalEmbedder.start({ model: { ...miniLm(), weights: pinned(absent, 'model.onnx', '') } }),
  });
  const definition = { kind: 'embedder', name: 'better', provider: 'local', config: {} } as const;
  const probe = await factory.probe(definition, noPeers);
  expect(probe).toMatchObject({
    ok: false,
    reason: expect.stringContaining('`npm install --no-save @loci/no-such-models@1.2.3`'),
  });
});

test('a resource gets the model that it names, and the one that comes with Loci when it names none', async () => {
  const asked: LocalModelName[] = [];
  const factory = testFactory({
    localEmbedder: (model) => {
      asked.push(model);
      return Promise.reject(new Error('enough'));
    },
  });
  for (const config of [{ model: 'gte-small' }, {}]) {
    const definition = { kind: 'embedder', name: 'mine', provider: 'local', config } as const;
    await expect(factory.embedder(definition)).rejects.toThrow('enough');
  }
  expect(asked).toEqual(['gte-small', 'all-minilm-l6-v2']);
});

test('the model that comes with Loci is there', () => {
  expect(miniLm().weights.path).toMatch(/model_quantized\.onnx$/);
});
