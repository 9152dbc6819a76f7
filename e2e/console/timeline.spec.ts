import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { inBrowser } from './console.js';

inBrowser('the timeline of a fact', (desk) => {
  test('tells when it was said, believed and superseded, and leads from what held to what holds and back', async () => {
    const { open, api, models, configure, at } = desk();
    const client = api('timelines');
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    const model = { name: 'listens', provider: 'openai-chat-completions', config };
    await client.post('/config/resources/language_models', model);
    const known = async (): Promise<string> =>
      JSON.stringify(await client.expect(200, '/memories/list', { type: 'semantic' }));
    const said = [
      ['add', 'Berlin', 'I live in Berlin.', '2026-03-02T08:00:00Z'],
      ['update', 'Porto', 'I have moved to Porto.', '2026-05-04T09:30:00Z'],
    ] as const;
    await configure('/memory/semantic', { llm_model: 'listens', ingestion_trigger_messages: 1 });
    for (const [command, value, content, timestamp] of said) {
      models.reset();
      models.reply(/./, { commands: [{ command, tag: 'home', feature: 'city', value, messages: [1] }] });
      await client.add([content], { producer: 'mira', timestamp });
      await eventually(async () => (await known()).includes(value), { what: `${value} is believed` });
    }
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();

    const page = await open('/p/timelines/main/features', { timezoneId: 'UTC' });
    await page.getByRole('button', { name: /city.*Porto/s }).click();
    const details = page.getByRole('dialog', { name: 'city' });
    const changes = details.getByRole('list').filter({ hasText: 'believed' }).getByRole('listitem');
    const newest = changes.filter({ hasText: 'changed' });
    await newest.locator('del', { hasText: 'Berlin' }).waitFor();
    await newest.getByRole('link', { name: 'said by mira, 4 May 2026, 09:30:00' }).waitFor();
    await changes
      .filter({ hasText: 'believed' })
      .getByRole('link', { name: 'said by mira, 2 Mar 2026, 08:00:00' })
      .waitFor();
    const former = details.getByRole('link', { name: 'Berlin', exact: true });
    await details.getByText(/^until 4 May 2026/).waitFor();

    await former.click();
    await details.getByText('superseded', { exact: true }).waitFor();
    // what was begun with one feature does not go on with another
    await details.getByRole('button', { name: 'Correct' }).click();
    await details.getByRole('textbox').first().waitFor();
    await page.goBack();
    await former.waitFor();
    expect(await details.getByRole('textbox').count()).toBe(0);
    await former.click();
    await details.getByText(/^Holds until 4 May 2026/).waitFor();
    await details.getByRole('link', { name: 'another feature' }).first().click();
    await former.waitFor();

    // it is among those that have ended, and a link to it shows the same
    await page.goto(at('/p/timelines/main/features?validity=ended'));
    await page.getByRole('button', { name: /city.*Berlin/s }).click();
    await details.getByText('superseded', { exact: true }).waitFor();
  });

  test('names the message that says it, and that an undone fact is gone, until that is undone', async () => {
    const { open, api, models, configure, at } = desk();
    const client = api('undone');
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    await client.post('/config/resources/language_models', {
      name: 'reads two',
      provider: 'openai-chat-completions',
      config,
    });
    models.reset();
    const command = { command: 'add', tag: 'home', feature: 'city', value: 'Berlin', messages: [1] };
    models.reply(/./, { commands: [command] });
    await configure('/memory/semantic', { llm_model: 'reads two', ingestion_trigger_messages: 2 });
    await client.add(['I live in Berlin.', 'It rains.'], { producer: 'mira' });
    const page = await open('/p/undone/main/features');
    const city = page.getByRole('button', { name: /city.*Berlin/s });
    await eventually(
      async () => {
        await page.reload();
        await page.getByText(/^What undone \/ main knows: \d/).waitFor();
        return (await city.count()) > 0;
      },
      { what: 'Berlin is believed' },
    );
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();

    await city.click();
    const details = page.getByRole('dialog');
    await details
      .getByRole('link', { name: /^said by mira/ })
      .first()
      .waitFor();
    expect(await details.getByRole('link', { name: /^said by mira/ }).count()).toBe(1);
    await details.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The feature is gone again.').waitFor();
    await details.getByText('removed', { exact: true }).waitFor();
    await details.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The feature says again what it said before.').waitFor();

    const address = page.url();
    await details.getByRole('button', { name: 'Delete', exact: true }).click();
    await details.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('The feature is deleted.').waitFor();
    await page.goto(at('/nowhere'));
    await page.goto(address);
    await details.getByText('Not there, or not yours').first().waitFor();
    await details.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect(await details.getByRole('alert').count()).toBe(1);
    expect(await details.getByText('What happened to it').count()).toBe(0);
  });
});
