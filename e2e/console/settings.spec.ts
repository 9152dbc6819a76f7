import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Page } from 'playwright-core';
import { hindrances, inBrowser } from './console.js';
import { openPalette } from './keyboard.js';

const settingsOf = (org: string): string => `/p/${org}/main/settings`;

/** What a form sends when it is sent. */
async function sent(page: Page, path: string, save: string): Promise<object> {
  const request = page.waitForRequest(`**/api/v2/${path}`);
  await page.getByRole('button', { name: save }).click();
  return (await request).postDataJSON() as object;
}

/** Looks at what is shown with axe, at both widths and in both themes. */
async function lookAround(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await hindrances(page)));
    }
  }
  return found;
}

inBrowser('the settings of a project', (desk) => {
  afterAll(async () => {
    desk().models.reset();
    await desk().configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
  });

  test('are changed, and nothing is sent but what was changed', async () => {
    const { open, api } = desk();
    const client = api('settings');
    await client.add(['Tea, please.']);
    const page = await open(settingsOf('settings'));
    await page.getByLabel('Short-term memory').uncheck();
    await page.getByLabel('Messages live at most').fill('36');
    await page.getByLabel('Unit').selectOption('hours');
    expect(await sent(page, 'memory/episodic/config', 'Save episodic memory')).toEqual({
      org_id: 'settings',
      project_id: 'main',
      short_term_memory_enabled: false,
      ttl_seconds: 129_600,
    });
    await page.getByText(/^What is stored already keeps its time/).waitFor();
    await page.getByRole('button', { name: 'Trust * no more' }).click();
    await page.getByText(/^None: what their messages bring about/).waitFor();
    await page.getByLabel('Another producer').fill(' crm-* ');
    await page.getByLabel('Days for which calls of models are kept').fill('3');
    await page.getByText('Calls that are kept already and are older than that go for good.').waitFor();
    // a name that was typed and not added is meant as well
    expect(await sent(page, 'memory/semantic/config', 'Save semantic memory')).toEqual({
      org_id: 'settings',
      project_id: 'main',
      trusted_producers: ['crm-*'],
      keep_calls_days: 3,
    });
    await page.getByText(/^It counts for what is learned from now on/).waitFor();
    expect(await lookAround(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Trust crm-* no more' }).click();
    await sent(page, 'memory/semantic/config', 'Save semantic memory');
    await page.getByText('Saved.').waitFor();
    expect(await page.getByLabel('Messages live at most').inputValue()).toBe('36');
    expect(await page.getByLabel('Unit').inputValue()).toBe('hours');
    expect(await page.getByLabel('Short-term memory').isChecked()).toBe(false);
    expect(await client.expect(200, '/memory/semantic/config/get', {})).toMatchObject({
      trusted_producers: [],
      keep_calls_days: 3,
    });
    await page.getByLabel('Messages live at most').fill('2000000001');
    await page.getByLabel('Unit').selectOption('seconds');
    await page.getByRole('button', { name: 'Save episodic memory' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  test('name another embedder, to which the project moves as Projects shows', async () => {
    const { open, api, register, models } = desk();
    await api('moved').add(['Tea, please.']);
    await register('rerankers', { name: 'by their words', provider: 'bm25', config: {} });
    const config = { model: 'own', api_key: 'a-good-key', base_url: models.openAiUrl, dimensions: 32 };
    await register('embedders', { name: 'own', provider: 'openai', config });
    const page = await open(settingsOf('moved'));
    await page.getByLabel('Embedder').selectOption('own');
    await page.getByLabel('Reranker').selectOption('by their words');
    await page.getByRole('button', { name: 'Save models' }).click();
    await page.getByRole('link', { name: 'how far they are' }).click();
    const row = page.getByRole('row').filter({ hasText: 'moved' });
    await row.getByText('own', { exact: true }).waitFor({ timeout: 120_000 });
    await page.goto(desk().at('/models?kind=rerankers&name=by%20their%20words'));
    await page.getByRole('dialog').getByRole('link', { name: 'moved / main' }).click();
    // the view before names rerankers, too
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByLabel('Reranker').selectOption('as in the deployment');
    await page.getByRole('button', { name: 'Save models' }).click();
    await page.getByText('Saved.').waitFor();
    const { config: now } = await api('moved').expect(200, '/projects/get', {});
    expect(now).toMatchObject({ embedder: 'own' });
    expect(now).not.toMatchObject({ reranker: 'by their words' });
  });

  test('are typed by who may not see which models are registered, and told why a name is refused', async () => {
    const { open, api } = desk();
    await api('typed').add(['Tea, please.']);
    const bounds = { org_id: 'typed', project_id: 'main' };
    const { secret } = await api('typed').expect(201, '/keys', {
      name: 'writes',
      scopes: ['read', 'write'],
      ...bounds,
    });
    const page = await open(settingsOf('typed'), { as: String(secret) });
    await page.getByLabel('Reranker').fill('no such model');
    await page.getByRole('button', { name: 'Save models' }).click();
    await page.getByRole('alert').filter({ hasText: 'no such model' }).waitFor();
    await page.getByRole('term').filter({ hasText: 'Facts are about' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save semantic memory' }).count()).toBe(0);
  });

  test('are shown as facts to who reads only', async () => {
    const { open, api } = desk();
    const client = api('read-only');
    await client.add(['Tea, please.']);
    await client.post('/memory/episodic/config', { ttl_seconds: 86_400 });
    await client.post('/memory/semantic/config', { trusted_producers: ['<b>crm</b>'] });
    const { secret } = await client.expect(201, '/keys', { name: 'reads', scopes: ['read'] });
    const page = await open(settingsOf('read-only'), { as: String(secret) });
    await page.getByText('1 day at most').waitFor();
    await page.getByText('<b>crm</b>').waitFor();
    const controls = page.locator('main :is(button, input, select)');
    expect(await controls.allInnerTexts()).toEqual(['Export the project']);
    expect(await lookAround(page)).toEqual([]);
  });

  test('are those of another project when that is picked, without what was typed for the one before', async () => {
    const { open, api } = desk();
    await api('picked', 'one').add(['Tea, please.']);
    await api('picked', 'two').add(['Coffee, please.']);
    const page = await open('/p/picked/one/settings');
    await page.getByLabel('Messages live at most').fill('7');
    await page.getByLabel('Project', { exact: true }).selectOption('picked / two');
    await page.waitForURL(/picked\/two\/settings$/);
    await eventually(async () => (await page.getByLabel('Messages live at most').inputValue()) === '', {
      what: 'the form is empty',
    });
  });

  test('are reached by the palette', async () => {
    const { open, api, at } = desk();
    await api('settings').add(['Tea, please.']);
    const page = await open('/p/settings/main/episodes');
    await page.getByText('Tea, please.').first().waitFor();
    await openPalette(page);
    await page.keyboard.type('Settings');
    await page.getByRole('option', { name: 'Settings', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(page.url()).toBe(at(settingsOf('settings')));
  });

  test('offer the project as a file, which another project takes, and takes again without doubling', async () => {
    const { open, api } = desk();
    const source = api('copied');
    await source.add(['Tea, please.', 'Coffee, please.']);
    const page = await open(settingsOf('copied'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the project' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('copied-main.jsonl');
    const path = await download.path();
    const copy = api('copy');
    await copy.add(['Milk, please.']);
    await page.goto(desk().at(settingsOf('copy')));
    await page.getByLabel('File of an export').setInputFiles(path);
    await page.getByRole('button', { name: 'Import the file' }).click();
    await page.getByText(/^[1-9]\d* added, 0 there already, 0 left out\.$/).waitFor();
    expect(await lookAround(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import the file' }).click();
    await page.getByText(/^0 added, [1-9]\d* there already, 0 left out\.$/).waitFor();
    const listed = (await copy.expect(200, '/memories/list', { type: 'episodic' })) as {
      content: { episodic_memory: { content: string }[] };
    };
    expect(listed.content.episodic_memory.map(({ content }) => content).sort()).toEqual([
      'Coffee, please.',
      'Milk, please.',
      'Tea, please.',
    ]);
    const other = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy tea.\n') };
    await page.getByLabel('File of an export').setInputFiles(other);
    await page.getByRole('button', { name: 'Import the file' }).click();
    await page.getByRole('alert').filter({ hasText: 'Line 1 is none of an export' }).waitFor();
  });

  test('let a project that is older than subjects learn again, and say first what that takes', async () => {
    const { open, api, models, configure, register } = desk();
    const client = api('old');
    await client.expect(201, '/projects', {});
    await client.expect(204, '/memory/semantic/config', { facts_of: 'project' });
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    await register('language_models', { name: 'learns again', provider: 'openai-chat-completions', config });
    models.reset();
    const add = { command: 'add', tag: 'travel', feature: 'seat', value: 'window', messages: [1] };
    models.reply(/./, { commands: [add] });
    await configure('/memory/semantic', { llm_model: 'learns again', ingestion_trigger_messages: 1 });
    await client.add(['I like the window seat.'], { producer: 'mira' });
    const takes = () => client.expect(200, '/ingestion/relearn/preview', {});
    await eventually(async () => (await takes())['messages'] === 1, { what: 'the message was learned from' });
    const page = await open(settingsOf('old'));
    await page.getByText(/^This project is older than facts that say whom they are about/).waitFor();
    await page.getByRole('button', { name: 'Learn again' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Learn again' });
    await dialog.getByText('Features that are taken away').waitFor();
    expect(await lookAround(page)).toEqual([]);
    expect(await client.expect(200, '/memory/semantic/config/get', {})).toMatchObject({
      facts_of: 'project',
    });
    await dialog.getByRole('button', { name: 'Learn from 1 message again' }).click();
    await dialog.getByText(/^1 message waits to be learned from again/).waitFor();
    expect(await client.expect(200, '/memory/semantic/config/get', {})).toMatchObject({ facts_of: 'users' });
    await dialog.getByRole('link', { name: 'Follow it under Ingestion' }).click();
    await page.getByRole('heading', { name: 'Ingestion', level: 1 }).waitFor();
  });

  test('end with the project, once it was said what goes and its name was typed', async () => {
    const { open, api } = desk();
    const client = api('leaving');
    await client.add(['Tea, please.', 'Coffee, please.']);
    await client.expect(201, '/keys', {
      name: 'goes',
      scopes: ['read'],
      org_id: 'leaving',
      project_id: 'main',
    });
    const page = await open(settingsOf('leaving'));
    await page.getByRole('button', { name: 'Delete this project' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this project' });
    await dialog.getByLabel('To delete it, type main').waitFor();
    const facts = await dialog.getByRole('definition').allInnerTexts();
    expect(facts).toEqual([
      '2',
      expect.stringMatching(/^\d+, but not those of the organization that other projects support$/),
      expect.stringMatching(/^1/),
      expect.stringMatching(/^0/),
    ]);
    expect(await lookAround(page)).toEqual([]);
    const last = dialog.getByRole('button', { name: 'Delete for good' });
    await dialog.getByLabel('To delete it, type main').fill('mai');
    expect(await last.isDisabled()).toBe(true);
    await dialog.getByLabel('To delete it, type main').fill('main');
    await page.keyboard.press('Enter');
    await page.getByText('leaving / main is deleted.').waitFor();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByRole('row').filter({ hasText: 'leaving' }).waitFor({ state: 'detached' });
    expect((await client.post('/projects/get', {})).status).toBe(404);
    await page.goto(desk().at(settingsOf('leaving')));
    await page.getByText('There is no project leaving / main').waitFor();
  });

  test('end the session of a key that is bound to the project, which is said first', async () => {
    const { open, api } = desk();
    const bounds = { org_id: 'left', project_id: 'main' };
    await api('left').add(['Tea, please.']);
    const { secret } = await api('left').expect(201, '/keys', { name: 'own', scopes: ['admin'], ...bounds });
    const page = await open(settingsOf('left'), { as: String(secret) });
    await page.getByRole('button', { name: 'Delete this project' }).click();
    await page.getByText('Your own key is bound to it: you are signed out with it.').waitFor();
    await page.getByLabel('To delete it, type main').fill('main');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
