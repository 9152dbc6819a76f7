import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Client } from '../harness/client.js';
import { hindrances, inBrowser } from './console.js';

const LEARNED = {
  commands: [{ command: 'add', tag: 'food', feature: 'drink', value: 'green tea', messages: [1] }],
};

async function idsOf(client: Client): Promise<readonly string[]> {
  const { body } = await client.ask('GET', '/ingestion/dead-letters');
  return (body as unknown as readonly { readonly id: string }[]).map(({ id }) => id);
}

inBrowser('dead letters', (desk) => {
  beforeAll(async () => {
    const { models, register } = desk();
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    await register('language_models', { name: 'mumbles', provider: 'openai-chat-completions', config });
  });
  afterEach(async () => {
    const { models, configure } = desk();
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();
  });

  test('one is read, replayed in vain, replayed once the model is mended, and what it says is learned', async () => {
    const { open, api, models, configure, at } = desk();
    const client = api('replays');
    models.reset();
    models.reply(/./, 'certainly!');
    await configure('/memory/semantic', { llm_model: 'mumbles', ingestion_trigger_messages: 1 });
    await client.add(['I only drink green tea.'], { producer: 'mira' });
    await eventually(async () => (await idsOf(client)).length === 1, { what: 'ingestion has given up' });
    const [first] = await idsOf(client);

    const page = await open('/p/replays/main/ingestion', { isImpatient: true });
    const panel = page.getByRole('region', { name: 'Dead letters' });
    const letters = panel.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Drop' }) });
    await letters.getByText('model_reply_unusable').waitFor();
    await letters.getByText(/^1 message, \d+ attempts?,/).waitFor();
    expect(await letters.locator('p').nth(1).innerText()).toMatch(/mumbles|model|reply|JSON/i);
    await letters.getByText('Messages', { exact: true }).click();
    await letters.getByRole('link', { name: /mira.*I only drink green tea/s }).waitFor();
    expect(await hindrances(page)).toEqual([]);

    // tells it from the one that is there when it was tried again: they look the same
    await page.evaluate(`document.querySelector('[aria-label="Dead letters"] li').dataset.former = ''`);
    await letters.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('It is tried again.').waitFor();
    await eventually(async () => (await idsOf(client)).some((id) => id !== first), {
      what: 'it is given up again',
    });
    // the page looks again by itself, as the number of them changes
    await letters.and(page.locator(':not([data-former])')).getByText('model_reply_unusable').waitFor();

    models.reset();
    models.reply(/./, LEARNED);
    await letters.getByRole('button', { name: 'Replay' }).click();
    await panel.getByText('Ingestion has given up on nothing').waitFor();
    const learned = async (): Promise<string> =>
      JSON.stringify(await client.expect(200, '/memories/list', { type: 'semantic' }));
    await eventually(async () => (await learned()).includes('green tea'), { what: 'it is learned' });
    await page.goto(at('/p/replays/main/features'));
    await page.getByRole('button', { name: /drink.*green tea/s }).waitFor();
    expect(await idsOf(client)).toEqual([]);
  });

  test('what is given up on while one looks is shown, all of it is replayed, and what is dropped is asked for', async () => {
    const { open, api, models, configure } = desk();
    const client = api('drops');
    models.reset();
    models.reply(/./, 'certainly!');
    await configure('/memory/semantic', { llm_model: 'mumbles', ingestion_trigger_messages: 1 });
    await client.expect(201, '/projects', {});
    const page = await open('/p/drops/main/ingestion', { isImpatient: true });
    const panel = page.getByRole('region', { name: 'Dead letters' });
    await panel.getByText('Ingestion has given up on nothing').waitFor();
    for (const count of [1, 2]) {
      await client.add([`This cannot be learned ${count}.`], { producer: 'mira' });
      await panel
        .getByRole('button', { name: 'Drop' })
        .nth(count - 1)
        .waitFor();
    }
    await panel.getByRole('button', { name: 'Drop' }).first().click();
    expect(await idsOf(client)).toHaveLength(2);
    // the page hears that there are fewer only after it has read those that are left
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await page.route('**/ingestion/jobs?*', async (route) => {
      await told;
      await route.continue();
    });
    await panel.getByRole('button', { name: 'Drop for good' }).click();
    await page.getByText(/^It is dropped/).waitFor();
    await panel.getByRole('button', { name: 'Drop' }).nth(1).waitFor({ state: 'detached' });
    expect(await idsOf(client)).toHaveLength(1);
    tell();
    await client.add(['This cannot be learned 3.'], { producer: 'mira' });
    await panel.getByRole('button', { name: 'Drop' }).nth(1).waitFor();
    models.reset();
    models.reply(/./, { commands: [] });
    await panel.getByRole('button', { name: 'Replay all' }).click();
    await page.getByText('2 dead letters tried again.').waitFor();
    await panel.getByText('Ingestion has given up on nothing').waitFor();
  });
});
