import { afterAll, expect } from '@jest/globals';
import { FakeModels } from '@loci/testing';
import { ConfigClient } from '../harness/config-client.js';
import { adminKeyOf, product } from './product.js';

/** The name under which the language model is registered. No set uses it that is not told to. */
export const SCRIBE = 'scribe';

/** Adds that come at once, so that ingestion begins with the last of them. */
export const TRIGGER = 5;

let starting: Promise<FakeModels> | undefined;
afterAll(async () => (await starting)?.close());

/** A language model for the tests of this folder; each replies to prompts with words of its own. */
export const scribe = (): Promise<FakeModels> => (starting ??= register());

async function register(): Promise<FakeModels> {
  const [loci, models] = [await product(), await FakeModels.start()];
  const config = new ConfigClient(loci.url, { authorization: `Bearer ${await adminKeyOf(loci)}` });
  // else the first model that is ready would learn from the messages of all tests
  const semantic = { llm_model: '', ingestion_trigger_messages: TRIGGER };
  expect((await config.put('/memory/semantic', semantic)).status).toBe(200);
  expect((await config.put('/memory/episodic/short_term', { llm_model: '' })).status).toBe(200);
  const added = await config.register('language_models', {
    name: SCRIBE,
    provider: 'openai-chat-completions',
    config: { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' },
  });
  expect(added.body).toMatchObject({ status: 'ready' });
  return models;
}
