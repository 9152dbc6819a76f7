import { test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { inBrowser } from './console.js';

inBrowser('ingestion', (desk) => {
  test('a dead letter says why, and is dropped', async () => {
    const { open, api, models, configure } = desk();
    const client = api('letters');
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    const model = { name: 'babbles', provider: 'openai-chat-completions', config };
    await client.post('/config/resources/language_models', model);
    models.reply(/./, 'certainly!');
    await configure('/memory/semantic', { llm_model: 'babbles', ingestion_trigger_messages: 1 });
    await client.add(['This cannot be learned.'], { producer: 'mira' });
    const letters = async (): Promise<unknown[]> =>
      (await client.ask('GET', '/ingestion/dead-letters')).body as unknown as unknown[];
    await eventually(async () => (await letters()).length > 0, { what: 'ingestion has given up' });
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();
    const page = await open('/p/letters/main/ingestion');
    await page.getByText('babbles').first().waitFor();
    const panel = page.getByRole('region', { name: 'Dead letters' });
    for (let left = (await letters()).length; left > 0; left -= 1) {
      await panel.getByText('Messages', { exact: true }).first().click();
      await panel.getByText('This cannot be learned.').first().waitFor();
      const dropped = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
      await panel.getByRole('button', { name: 'Drop' }).first().click();
      await dropped;
      if (left > 1) await page.reload();
    }
    await page.getByText('Ingestion has given up on nothing').waitFor();
  });
});
