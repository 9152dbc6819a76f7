import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Client } from '../harness/client.js';
import { hindrances, inBrowser } from './console.js';

async function addFeature(client: Client, feature: object): Promise<string> {
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const body = { set_id, category_name: 'profile', ...feature };
  const { feature_id } = await client.expect(201, '/memories/semantic/feature', body);
  return String(feature_id);
}

inBrowser('what is known', (desk) => {
  test('a feature leads to the message that it cites', async () => {
    const { open, api } = desk();
    const client = api('citations');
    const [uid] = await client.add(['I only drink green tea.'], { producer: 'mira' });
    await addFeature(client, { tag: 'food', feature: 'drink', value: 'green tea', citations: [uid] });
    const page = await open('/p/citations/main/features');
    await page.getByRole('button', { name: /drink/ }).click();
    const details = page.getByRole('dialog', { name: 'drink' });
    await details
      .getByRole('link', { name: /I only drink green tea/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Message of mira' }).waitFor();
  });

  test('messages in a timeline are apart enough to be hit by a finger', async () => {
    const { open, api } = desk();
    const client = api('fingers');
    const citations = await client.add(['Green tea.', 'No sugar.', 'Thanks.'], { producer: 'mira' });
    const id = await addFeature(client, { tag: 'food', feature: 'drink', value: 'green tea', citations });
    const page = await open(`/p/fingers/main/features?id=${id}`, { viewport: { width: 390, height: 844 } });
    const details = page.getByRole('dialog', { name: 'drink' });
    await details
      .getByRole('link', { name: /^said by mira/ })
      .nth(2)
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  test('sets have names: those of their types, with the metadata that keeps them apart', async () => {
    const { open, api, at } = desk();
    const client = api('named');
    const type = { metadata_tags: ['user_id'], name: 'Per user' };
    await client.expect(201, '/memories/semantic/set_type', type);
    const wanted = { metadata_tags: ['user_id'], set_metadata: { user_id: 'mira_lee' } };
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', wanted);
    await client.expect(201, '/memories/semantic/category', {
      set_id,
      category_name: 'tastes',
      prompt: 'Look for tastes.',
      description: 'Tastes.',
    });
    const tea = { category_name: 'tastes', tag: 'food', feature: 'drink', value: 'tea' };
    await client.expect(201, '/memories/semantic/feature', { set_id, ...tea });
    await addFeature(client, { tag: 'food', feature: 'dish', value: 'soup' });
    const page = await open('/p/named/main/features');
    await page.getByRole('heading', { name: 'Whole project 1', exact: true }).waitFor();
    await page.getByLabel('Sets of user_id').fill('mira_lee');
    await page.keyboard.press('Enter');
    for (const name of ['Per user · user_id mira_lee 1', 'Whole project 1']) {
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    // the address has it
    await page.reload();
    await page.getByRole('button', { name: /drink.*tea/s }).click();
    const details = page.getByRole('dialog', { name: 'drink' });
    await details.getByText('Per user · user_id mira_lee').waitFor();
    // requests name the set by its id
    await details.getByText(String(set_id)).waitFor();
    await page.goto(at('/p/named/main/ingestion'));
    await page.getByRole('button', { name: 'Try a prompt' }).click();
    const sets = page.getByRole('dialog').getByLabel('Set', { exact: true });
    await sets.locator('option', { hasText: 'Whole project' }).waitFor({ state: 'attached' });
  });

  test('a correction is part of the history, and is undone', async () => {
    const { open, api } = desk();
    const client = api('corrections');
    await client.add(['Hello.']);
    const id = await addFeature(client, { tag: 'travel', feature: 'seat', value: 'window' });
    const page = await open(`/p/corrections/main/features?id=${id}`);
    const details = page.getByRole('dialog', { name: 'seat' });
    await details.getByRole('button', { name: 'Correct' }).click();
    await details.getByLabel('What it says').fill(' \u200b ');
    await details.getByRole('button', { name: 'Correct', exact: true }).click();
    await details.getByText('Nothing of it would be seen.').waitFor();
    await details.getByLabel('What it says').fill('aisle');
    await details.getByRole('button', { name: 'Correct', exact: true }).click();
    await details.locator('del', { hasText: 'window' }).waitFor();
    await details.getByRole('button', { name: 'Undo' }).click();
    await details.locator('del', { hasText: 'aisle' }).waitFor();
    await details
      .locator('p', { hasText: /^window$/ })
      .first()
      .waitFor();
  });

  test('a feature says since when it holds, as exactly as it is known, and that it ended', async () => {
    const { open, api } = desk();
    const client = api('periods');
    await client.add(['Hello.']);
    const period = { valid_from: '2024-03', valid_until: '2025' };
    const id = await addFeature(client, { tag: 'work', feature: 'job', value: 'pilot', ...period });
    const page = await open('/p/periods/main/features');
    await page.getByText('Nothing is known yet').waitFor();
    await page.getByRole('link', { name: 'What waits, and why' }).waitFor();
    await page.getByLabel('Which features').selectOption('ended');
    const row = page.getByRole('button', { name: /job/ });
    await row.getByText('ended').waitFor();
    await row.click();
    const details = page.getByRole('dialog', { name: 'job' });
    await details.getByText('since March 2024, until 2025').first().waitFor();
    await details.getByText(/^Holds since March 2024/).waitFor();
    expect(page.url()).toContain(id);
  });

  /** A project in which a model has proposed that the airline is SAS. @returns its client and the id of the proposal */
  const propose = async (org: string): Promise<{ client: Client; proposal_id: string }> => {
    const { api, models, configure } = desk();
    const client = api(org);
    // no message but the one that is learned from: each batch of them would ask for the change
    await client.expect(201, '/projects', {});
    await addFeature(client, { tag: 'travel', feature: 'airline', value: 'TAP' });
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    const model = { name: 'proposes', provider: 'openai-chat-completions', config };
    await client.post('/config/resources/language_models', model);
    const update = { command: 'update', tag: 'travel', feature: 'airline', value: 'SAS', messages: [1] };
    models.reply(/./, { commands: [update] });
    await configure('/memory/semantic', { llm_model: 'proposes', ingestion_trigger_messages: 1 });
    await client.add(['I fly with SAS now.'], { producer: 'mira' });
    const list = async (): Promise<{ proposal_id: string }[]> => {
      const { proposals } = await client.expect(200, '/memories/semantic/proposal/list', { page_size: 10 });
      return proposals as { proposal_id: string }[];
    };
    await eventually(async () => (await list()).length > 0, { what: 'there is a proposal' });
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();
    const [{ proposal_id } = { proposal_id: '' }] = await list();
    return { client, proposal_id };
  };

  test('what a model proposes is made once a person accepts it; where there is more, it is said', async () => {
    const { open, at } = desk();
    await propose('proposals');
    const page = await open('/nowhere');
    await page.route('**/semantic/proposal/list', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '3412' } });
    });
    await page.goto(at('/p/proposals/main/features'));
    await page.getByText('These are 1 of 3,412 proposals.').waitFor();
    const proposals = page.getByRole('region', { name: 'Proposed changes' });
    await proposals
      .getByRole('link', { name: /I fly with SAS now/ })
      .first()
      .waitFor();
    await proposals.getByText('Asked for by proposes, in Whole project').waitFor();
    await page.getByRole('button', { name: 'Accept' }).first().click();
    await page
      .getByRole('button', { name: /airline/ })
      .getByText('SAS')
      .waitFor();
  });

  test('a proposal says that what it would change was removed since', async () => {
    const { open } = desk();
    const { client } = await propose('outlived');
    const { proposals } = await client.expect(200, '/memories/semantic/proposal/list', {});
    const [{ features: [{ feature_id = '' } = {}] = [] } = {}] = proposals as {
      features?: { feature_id?: string }[];
    }[];
    await client.expect(204, '/memories/semantic/feature/undo', { feature_id });
    const page = await open('/p/outlived/main/features');
    const panel = page.getByRole('region', { name: 'Proposed changes' });
    await panel.getByText('Removed since the model asked. It said: TAP').waitFor();
  });

  test('a proposal says what holds now, where that has changed since, and leads to it', async () => {
    const { open } = desk();
    const { client } = await propose('overtaken');
    const { proposals } = await client.expect(200, '/memories/semantic/proposal/list', {});
    const [{ features: [{ feature_id = '' } = {}] = [] } = {}] = proposals as {
      features?: { feature_id?: string }[];
    }[];
    await client.expect(204, '/memories/semantic/feature/update', { feature_id, value: 'KLM' });
    const page = await open('/p/overtaken/main/features');
    const panel = page.getByRole('region', { name: 'Proposed changes' });
    await panel.locator('del', { hasText: 'KLM' }).waitFor();
    await panel.getByText('Changed since the model asked. It said: TAP').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await panel.getByRole('link', { name: 'KLM' }).click();
    await page.getByRole('dialog', { name: 'airline' }).waitFor();
  });

  test('a proposal that was decided elsewhere is said to be decided, and goes', async () => {
    const { open } = desk();
    const { client, proposal_id } = await propose('decided');
    const page = await open('/p/decided/main/features');
    const accept = page.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    await client.expect(204, '/memories/semantic/proposal/reject', { proposal_id });
    await accept.click();
    await page.getByText('This has been decided meanwhile.').waitFor();
    await page.getByText('Proposed changes').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
