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
    expect(await details.getByText(/^until 4 May 2026/).count()).toBe(1);

    await former.click();
    await details.getByText('superseded', { exact: true }).waitFor();
    await details.getByText(/^Holds until 4 May 2026/).waitFor();
    await details.getByRole('link', { name: 'another feature' }).first().click();
    await former.waitFor();

    // it is among those that have ended, and a link to it shows the same
    await page.goto(at('/p/timelines/main/features?validity=ended'));
    await page.getByRole('button', { name: /city.*Berlin/s }).click();
    await details.getByText('superseded', { exact: true }).waitFor();
  });
});
