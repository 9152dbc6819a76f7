import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { inBrowser } from './console.js';

const LEARNED = {
  commands: [{ command: 'add', tag: 'Food', feature: 'drink', value: 'tea', messages: [1] }],
};

inBrowser('ingestion', (desk) => {
  test('is not known while no worker has told of the messages that are there', async () => {
    const { open, api, at } = desk();
    await api('unheard').add(['I drink tea.']);
    const page = await open('/nowhere');
    await page.route('**/api/v2/ingestion/jobs*', (route) => route.fulfill({ json: [] }));
    await page.goto(at('/p/unheard/main/ingestion'));
    await page.getByText('Not known yet').waitFor();
    expect(await page.getByText(/ever learned/).count()).toBe(0);
    expect(await page.getByText('0 blocked or retrying').count()).toBe(0);
    await page.evaluate(`localStorage.setItem('loci-project', 'unheard/main')`);
    await page.goto(at(''));
    const overview = page.getByRole('region', { name: 'unheard / main' });
    await overview.getByText('not known yet').first().waitFor();
    expect(await overview.getByText('nothing waits').count()).toBe(0);
  });

  test('a call is shown with its texts and what it made, a prompt is tried, and a dead letter is dropped', async () => {
    const { open, api, models, configure } = desk();
    const client = api('letters');
    const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
    const model = { name: 'babbles', provider: 'openai-chat-completions', config };
    await client.post('/config/resources/language_models', model);
    const list = async (path: string): Promise<unknown[]> =>
      (await client.ask('GET', `/ingestion/${path}`)).body as unknown as unknown[];
    models.reply(/./, LEARNED);
    await configure('/memory/semantic', { llm_model: 'babbles', ingestion_trigger_messages: 1 });
    await client.add(['I drink tea.'], { producer: 'mira' });
    await eventually(async () => (await list('calls')).length > 0, { what: 'a call is kept' });
    const page = await open('/p/letters/main/ingestion');
    const calls = page.getByRole('region', { name: 'Calls of models', exact: true });
    await calls.getByRole('table').getByText('succeeded', { exact: true }).first().waitFor();
    await calls
      .getByRole('table')
      .getByRole('button', { name: /ago|now|second/ })
      .first()
      .click();
    const call = page.getByRole('dialog', { name: 'Call of a model' });
    await call.getByLabel('reply').getByText('drink').waitFor();
    await call.getByLabel('user').getByText('I drink tea.').first().waitFor();
    await call.getByText('added').first().waitFor();
    expect(page.url()).toContain('call=');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Try a prompt' }).click();
    const trial = page.getByRole('dialog', { name: 'Try a prompt' });
    await trial.getByLabel('Prompt').fill('Look for what they drink.');
    // what was typed survives a click beside the dialog
    await page.mouse.click(5, 400);
    expect(await trial.getByLabel('Prompt').inputValue()).toBe('Look for what they drink.');
    await trial.getByLabel('I drink tea.').check();
    await trial.getByLabel('Category').fill('drinks');
    let asked = 0;
    const preview = '**/api/v2/ingestion/preview';
    await page.route(preview, async (route) => {
      asked += 1;
      await route.fulfill({ status: 503, json: { detail: 'The model answered without JSON.' } });
    });
    await trial.getByRole('button', { name: 'Ask the model' }).click();
    await trial.getByRole('alert').waitFor();
    // each time is paid for
    expect(asked).toBe(1);
    await page.unroute(preview);
    await trial.getByRole('button', { name: 'Ask the model' }).click();
    const outcome = trial.getByRole('region', { name: 'What it would learn' });
    await outcome.getByText('tea').first().waitFor();
    await outcome.getByLabel('user').getByText('I drink tea.').first().waitFor();
    await outcome.getByLabel('reply').getByText('drink').waitFor();
    models.reset();
    models.reply(/./, 'certainly!');
    await trial.getByRole('button', { name: 'Ask the model' }).click();
    await outcome.getByText('model_reply_unusable').waitFor();
    await outcome.getByLabel('reply').getByText('certainly!').waitFor();
    await page.keyboard.press('Escape');

    models.reset();
    models.reply(/./, 'certainly!');
    await client.add(['This cannot be learned.'], { producer: 'mira' });
    await eventually(async () => (await list('dead-letters')).length > 0, { what: 'ingestion has given up' });
    await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
    models.reset();
    await page.reload();
    await calls.getByLabel('Calls that ended so').selectOption('failed');
    await page.waitForURL(/outcome=failed/);
    await calls.getByRole('table').getByText('model_reply_unusable').first().waitFor();
    // the address has it
    await page.reload();
    await calls.getByRole('table').getByText('model_reply_unusable').first().waitFor();
    expect(await calls.getByLabel('Calls that ended so').inputValue()).toBe('failed');
    await calls.getByLabel('Calls that ended so').selectOption('');
    await page.waitForURL((url) => !url.searchParams.has('outcome'));
    const panel = page.getByRole('region', { name: 'Dead letters' });
    await panel.getByRole('link', { name: 'Calls of models that failed for this set' }).first().click();
    await page.waitForURL(/outcome=failed/);
    // the address changes before the view does
    await eventually(
      async () => (await calls.getByLabel('Calls for the set').inputValue()).startsWith('mem_'),
      {
        what: 'the set is that of the letter',
      },
    );
    while ((await list('dead-letters')).length > 0) {
      await panel.getByText('Messages', { exact: true }).first().click();
      await panel.getByText('This cannot be learned.').first().waitFor();
      const dropped = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
      await panel.getByRole('button', { name: 'Drop' }).first().click();
      await panel.getByRole('button', { name: 'Drop for good' }).click();
      await dropped;
      await page.reload();
    }
    await page.getByText('Ingestion has given up on nothing').waitFor();
  });
});
