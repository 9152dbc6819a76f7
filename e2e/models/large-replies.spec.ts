import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
import { readFile } from 'node:fs/promises';
import { ConfigClient } from '../harness/config-client.js';
import { product } from './product.js';

let loci: Loci;
let models: FakeModels;

beforeAll(async () => {
  loci = await product();
  models = await FakeModels.start();
});

afterAll(() => models.close());

/** What the service that probes models has had at most, in MiB. */
async function mostMemory(): Promise<number> {
  const { pid } = await loci.process('config-service');
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

test('a reply of 300 MB, gzipped, is given up while it streams, and fills no memory', async () => {
  models.fail({ kind: 'huge', times: 9 });
  const before = await mostMemory();
  const config = new ConfigClient(loci.url);
  const spec = { model: 'm', api_key: 'a-good-key', base_url: models.openAiUrl };
  for (const [kind, provider] of [
    ['language_models', 'openai-chat-completions'],
    ['embedders', 'openai'],
  ] as const) {
    const { body } = await config.register(kind, { name: 'huge', provider, config: spec });
    const error: unknown = expect.stringMatching(/answers with more than 1048576 bytes/);
    expect(body).toMatchObject({ status: 'failed', error });
    expect((await config.delete(`/resources/${kind}/huge?force=true`)).status).toBe(200);
  }
  expect((await mostMemory()) - before).toBeLessThan(150);
});
