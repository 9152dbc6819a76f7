import { afterAll } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
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
  // else the first model that is ready would learn from the messages of all tests
  await configure(loci, 'PUT', 'memory/semantic', { llm_model: '', ingestion_trigger_messages: TRIGGER });
  await configure(loci, 'PUT', 'memory/episodic/short_term', { llm_model: '' });
  const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
  const model = { name: SCRIBE, provider: 'openai-chat-completions', config };
  await configure(loci, 'POST', 'resources/language_models', model);
  return models;
}

async function configure(loci: Loci, method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  const answer = await fetch(`${loci.url}/api/v2/config/${path}`, {
    method,
    headers: { authorization: `Bearer ${await adminKeyOf(loci)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}
