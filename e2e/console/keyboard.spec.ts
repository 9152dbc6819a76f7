import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { follow, inBrowser } from './console.js';
import { formsOf, press } from './forms.js';
import { focus, hasFocus, openPalette, take } from './keyboard.js';
import { addressOf, VIEWS } from './views.js';

const ORG = 'keyboards';

inBrowser('the keyboard alone', (desk) => {
  let feature: string;
  beforeAll(async () => {
    const { api, models, register, configure } = desk();
    const client = api(ORG);
    const metadata = { user_id: 'mira', session_id: 'lisbon' };
    await client.add(['I drink tea.', 'At noon.'], { producer: 'mira', metadata });
    await client.add(['Forget this.'], { producer: 'jon' });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const add = async (body: object): Promise<string> => {
      const added = { set_id, category_name: 'profile', tag: 'travel', ...body };
      return String((await client.expect(201, '/memories/semantic/feature', added))['feature_id']);
    };
    feature = await add({ feature: 'seat', value: 'window' });
    for (const value of ['Linz', 'Graz']) await add({ feature: 'town', value, single_valued: true });
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    await register('language_models', { name: 'typed to', provider: 'openai-chat-completions', config });
    await configure('/memory/semantic', { llm_model: 'typed to', ingestion_trigger_messages: 1_000 });
  });
  afterAll(async () => {
    await desk().configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
  });

  const project = `/p/${ORG}/main`;

  test('fills in every form and sends it, and one always sees where it is', async () => {
    const page = await desk().open('/nowhere');
    const forms = formsOf({ org: ORG, feature, modelsUrl: desk().models.openAiUrl });
    const failed: string[] = [];
    for (const [name, { view, steps, says }] of Object.entries(forms)) {
      await page.goto(desk().at(view));
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      try {
        // what stands beside a view has the keyboard from the beginning
        if (!view.includes('?id=')) await take(page, press('Skip to the content'));
        for (const step of steps) await take(page, step);
        await page.getByText(says).filter({ visible: true }).first().waitFor();
      } catch (error) {
        failed.push(`${name}: ${String(error).slice(0, 700)}`);
      }
    }
    expect(failed).toEqual([]);
  });

  test('opens a dialog, stays in it, and is back at its button afterwards', async () => {
    const { open, at } = desk();
    const page = await open('/nowhere');
    for (const [view, name] of [
      ['/projects', 'New project'],
      ['/keys', 'New key'],
      ['/webhooks', 'New webhook'],
      ['/models', 'Register: Rerankers'],
      [`${project}/ingestion`, 'Try a prompt'],
    ] as const) {
      await page.goto(at(view));
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await take(page, press(name));
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      const isInField = `document.activeElement.matches('[role=dialog] form :is(input, select, textarea)')`;
      await eventually(() => page.evaluate<boolean>(isInField), { what: `one types: ${name}` });
      for (let tabs = 0; tabs < 25; tabs += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await eventually(async () => (await focus(page)).name === name, {
        what: `${name} has the focus again`,
      });
    }
  });

  test('is in a field that comes later than its dialog, unless one went elsewhere meanwhile', async () => {
    const page = await desk().open('/nowhere');
    const held: (() => void)[] = [];
    await page.route('**/memories/forget/preview', async (route) => {
      await new Promise<void>((release) => held.push(release));
      await route.continue();
    });
    await desk().api(ORG).add(['Keep this.'], { producer: 'kim' });
    const filter = encodeURIComponent("producer_id='kim'");
    const field = page.getByLabel('To delete them, type');
    for (const isElsewhere of [false, true]) {
      await page.goto(desk().at(`${project}/episodes?filter=${filter}`));
      await page.getByRole('button', { name: 'Delete what matches' }).waitFor();
      await take(page, press('Delete what matches'));
      await page.getByRole('dialog').getByRole('status', { name: 'Loading' }).waitFor();
      const release = await eventually(() => held.pop(), { what: 'the preview was asked for' });
      if (isElsewhere) await page.keyboard.press('Tab');
      release();
      await field.waitFor();
      await eventually(
        async () => (await focus(page)).name.startsWith(isElsewhere ? 'Close' : 'To delete them'),
        {
          what: isElsewhere ? 'the focus is where one went' : 'the field has the focus',
        },
      );
    }
  });

  test('is back where the palette was opened', async () => {
    const page = await desk().open('/projects');
    await take(page, press('New project'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(page, 'New project');
    await openPalette(page);
    await page.keyboard.press('Escape');
    await hasFocus(page, 'New project');
  });

  test('reaches whatever can be pressed or filled in, in every view', async () => {
    const { open, at } = desk();
    const page = await open('/nowhere');
    const beyond: object[] = [];
    for (const [view, { heading }] of Object.entries(VIEWS)) {
      await follow(page, at(addressOf(view, ORG)), heading);
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      const found = await page.evaluate<string[]>(
        `[...document.querySelectorAll('main :is(button, a[href], input, select, textarea, summary, [role=button])')]
          .filter((one) => one.tabIndex < 0 && !one.disabled && !['tab', 'option'].includes(one.getAttribute('role')))
          .map((one) => one.outerHTML.slice(0, 200))`,
      );
      if (found.length > 0) beyond.push({ view, found });
    }
    expect(beyond).toEqual([]);
  });
});
