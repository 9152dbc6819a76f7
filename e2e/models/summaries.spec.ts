import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels, type Loci } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { logLines } from '../harness/logs.js';
import { awayFromMidnight } from '../harness/midnight.js';
import { product } from './product.js';
import { summaryOf, untilSummaryIs } from './summary.js';

const PADDING = '.'.repeat(200);
const ABOUT_ALPHA = 'They spoke of the alpha plan.';
const ABOUT_THE_REST = 'They spoke of other things.';

let models: FakeModels;
let loci: Loci;

const of = (project_id: string): Client => new Client(loci.url, { org_id: 'acme', project_id });

const say = (client: Client, ...words: string[]): Promise<string[]> =>
  client.add(words.map((word) => `${word} in ${client.project.project_id} ${PADDING}`));

/** What the model was asked about a project. */
const askedAbout = ({ project: { project_id } }: Client): string[] =>
  models
    .calls('chat/completions')
    .map(({ body }) => JSON.stringify(body))
    .filter((body) => body.includes(`in ${project_id}`));

/** Lets an organization make so many calls of language models a day. */
async function allow(org_id: string, model_calls_per_day: number): Promise<void> {
  const { status } = await fetch(`${loci.url}/api/v2/quotas`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ org_id, model_calls_per_day }),
  });
  expect(status).toBe(200);
}

async function usageOf({ project }: Client): Promise<Json[]> {
  const query = new URLSearchParams(project).toString();
  const answer = await fetch(`${loci.url}/api/v2/ingestion/usage?${query}`);
  return (await answer.json()) as Json[];
}

const shows = (client: Client, summary: string): Promise<unknown> =>
  eventually(async () => (await summaryOf(client)) === summary, { what: summary });

describe('what has left the short-term window', () => {
  beforeAll(async () => {
    models = await FakeModels.start();
    loci = await product();
    const config = new ConfigClient(loci.url);
    const added = await config.register('language_models', {
      name: 'writer',
      provider: 'openai-chat-completions',
      config: { model: 'some-model', api_key: 'a-good-key', base_url: models.openAiUrl },
      may_be_default: false,
    });
    expect(added.body).toMatchObject({ status: 'ready' });
    const memory = { llm_model: 'writer', message_capacity: 1_000 };
    expect((await config.put('/memory/episodic/short_term', memory)).status).toBe(200);
    models.reply('running summary', ABOUT_THE_REST);
    const client = of('first-talk');
    await untilSummaryIs(ABOUT_THE_REST, client, () => say(client, 'one', 'two', 'three'));
  });

  beforeEach(() => {
    models.reset();
    models.reply('running summary', ABOUT_THE_REST);
    models.reply(({ user }) => user.includes('alpha'), ABOUT_ALPHA);
  });

  afterAll(() => models.close());

  test('what falls out of the window is summarised, and what was summarised before goes into the next summary', async () => {
    const client = of('long-talk');
    await say(client, 'alpha', 'beta');
    expect(await summaryOf(client)).toBe('');
    await say(client, 'gamma', 'delta', 'epsilon', 'zeta');
    await shows(client, ABOUT_ALPHA);
    expect(askedAbout(client).find((body) => body.includes('alpha'))).toContain('beta');
    models.reset();
    models.reply(({ user }) => user.includes(ABOUT_ALPHA), 'What was known, and more.');
    await say(client, 'eta', 'theta', 'iota', 'kappa');
    await shows(client, 'What was known, and more.');
  });

  test('a deleted episode does not live on in the summary: it is gone at once, and written anew without it', async () => {
    const client = of('regret');
    const [alpha = ''] = await say(client, 'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta');
    await shows(client, ABOUT_ALPHA);
    await client.expect(204, '/memories/episodic/delete', { episodic_id: alpha });
    expect(await summaryOf(client)).not.toBe(ABOUT_ALPHA);
    models.reset();
    models.reply('running summary', ABOUT_THE_REST);
    await say(client, 'eta', 'theta');
    await shows(client, ABOUT_THE_REST);
    for (const body of askedAbout(client)) expect(body).not.toContain('alpha');
  });

  test('a model that fails leaves the former summary, and a killed worker is no reason to forget', async () => {
    const client = of('bumpy');
    await say(client, 'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta');
    await shows(client, ABOUT_ALPHA);
    models.reset();
    models.fail({ path: 'chat/completions', status: 400, times: 2 });
    models.reply('running summary', ABOUT_THE_REST);
    await say(client, 'eta', 'theta', 'iota', 'kappa');
    await eventually(() => askedAbout(client).length > 0, { what: 'the model is asked' });
    expect([ABOUT_ALPHA, ABOUT_THE_REST]).toContain(await summaryOf(client));
    await loci.kill('episodic-worker');
    await shows(client, ABOUT_THE_REST);
  });

  test('a summary counts for the quotas of its organization, and waits while they are used up', async () => {
    const client = new Client(loci.url, { org_id: 'thrifty', project_id: 'thrifty-talk' });
    await awayFromMidnight();
    await allow('thrifty', 0);
    await say(client, 'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta');
    const isRefused = async (): Promise<boolean> =>
      (await logLines(loci)).some(({ text }) => text.includes('model_quota_exceeded'));
    await eventually(isRefused, { what: 'a summary is refused' });
    expect(askedAbout(client)).toEqual([]);
    await allow('thrifty', 10);
    await shows(client, ABOUT_ALPHA);
    const asked = askedAbout(client).length;
    const [used] = await usageOf(client);
    expect(used).toMatchObject({ model: 'writer', is_org_level: false, calls: asked, failures: 0 });
    expect(used?.['input_tokens']).toBeGreaterThan(0);
  });
});
