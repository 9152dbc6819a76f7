import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { inBrowser } from './console.js';
import { hasFocus } from './keyboard.js';

inBrowser('what cannot be undone', (desk) => {
  test('is asked for twice: a message is kept, and then deleted, by the keyboard', async () => {
    const { open, api } = desk();
    const client = api('destruction');
    await client.add(['I drink tea.'], { producer: 'mira' });
    const page = await open('/p/destruction/main/episodes');
    await page.getByRole('button', { name: 'Message of mira: details' }).click();
    const details = page.getByRole('dialog', { name: 'Message of mira' });
    await details.getByRole('button', { name: 'Delete' }).press('Enter');
    // the way back has the focus: a second Enter destroys nothing
    await details.getByText(/^The message is gone/).waitFor();
    await hasFocus(page, 'Keep');
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Delete');
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Keep');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was said here yet').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('is asked for anew when other messages match meanwhile', async () => {
    const { open, api } = desk();
    const client = api('meanwhile');
    await client.add(['I drink tea.'], { producer: 'mira' });
    const page = await open(`/p/meanwhile/main/episodes?filter=producer_id%3D'mira'`);
    await page.getByRole('button', { name: 'Delete what matches' }).click();
    await page.getByLabel('To delete them, type 1').fill('1');
    await client.add(['I drink coffee.'], { producer: 'mira' });
    await page.getByRole('button', { name: 'Delete 1' }).click();
    await page.getByText(/^Meanwhile 2 messages match, and nothing is deleted/).waitFor();
    await page.getByLabel('To delete them, type 2').fill('2');
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText(/^Deleted: 2 of 2/).waitFor();
  });

  test('is asked for twice: a key is kept, and then revoked, by the keyboard, which stays in the page', async () => {
    const { open, api } = desk();
    await api('destruction').expect(201, '/keys', { name: 'leaves', scopes: ['read'] });
    const page = await open('/keys');
    const revoke = page.getByRole('button', { name: 'Revoke leaves', exact: true });
    await revoke.press('Enter');
    await page.getByText(/^Clients that use this key/).waitFor();
    await hasFocus(page, 'Keep');
    await page.keyboard.press('Enter');
    await revoke.press('Enter');
    await hasFocus(page, 'Keep');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^The key ends everywhere/).waitFor();
    await revoke.waitFor({ state: 'detached' });
    await eventually(() => page.evaluate<boolean>(`document.activeElement.matches('main')`), {
      what: 'the view has the focus',
    });
  });

  test('is asked for twice: a webhook is deleted', async () => {
    const { open, api } = desk();
    const client = api('destruction');
    await client.add(['Hello.']);
    const made = await client.expect(201, '/webhooks', { url: 'http://127.0.0.1:1/leaves' });
    const page = await open(`/webhooks?id=${String(made['id'])}`);
    const details = page.getByRole('dialog');
    await details.getByRole('button', { name: 'Delete' }).press('Enter');
    await details.getByText(/^The address is told of nothing/).waitFor();
    await hasFocus(page, 'Keep');
    await page.keyboard.press('Enter');
    await details.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await details.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('The webhook is deleted.').waitFor();
  });

  test('is asked for twice: a model is removed', async () => {
    const { open, register } = desk();
    // not a language model: the first of those is used at once, and what is used is not removed
    await register('rerankers', { name: 'leaves', provider: 'bm25', config: {} });
    const page = await open('/models?kind=rerankers&name=leaves');
    const details = page.getByRole('dialog', { name: 'leaves' });
    await details.getByRole('button', { name: 'Remove' }).click();
    await details.getByRole('button', { name: 'Remove for good' }).click();
    await page.getByText('leaves is removed.').waitFor();
  });

  test('is not done to a model that is used: it says where, and asks anew', async () => {
    const { open, register, models } = desk();
    await register('rerankers', { name: 'a part', provider: 'bm25', config: {} });
    await register('rerankers', {
      name: 'the whole',
      provider: 'rrf-hybrid',
      config: { reranker_ids: ['a part', 'identity'] },
    });
    await desk()
      .api('users-of-models')
      .expect(201, '/projects', { config: { reranker: 'a part' } });
    const config = { model: 'gpt', api_key: 'any', base_url: models.urlOf('openai') };
    await register('language_models', { name: 'learns', provider: 'openai-responses', config });
    await desk().configure('/memory/semantic', { llm_model: 'learns' });
    const page = await open('/models?kind=rerankers&name=a%20part');
    const details = page.getByRole('dialog', { name: 'a part' });
    await details.getByRole('link', { name: 'users-of-models / main' }).waitFor();
    await details.getByRole('button', { name: 'Remove' }).click();
    const confirm = details.getByRole('button', { name: 'Remove for good' });
    await confirm.click();
    await details.getByRole('alert').waitFor();
    expect(await details.getByText(/first/).allInnerTexts()).toEqual([
      'It is used, and stays. Let what uses it use another one first.',
    ]);
    expect(await details.getByText(/api\/v2|force/).count()).toBe(0);
    expect(await confirm.isDisabled()).toBe(true);
    await details.getByRole('link', { name: 'the whole' }).click();
    await page.getByRole('dialog', { name: 'the whole' }).getByText('nothing', { exact: true }).waitFor();
    await page.goto(desk().at('/models?kind=language_models&name=learns'));
    await page.getByRole('link', { name: 'Memory: Model that learns' }).waitFor();
    await page.goto(desk().at('/models?kind=rerankers&name=a%20part'));
    await details.getByRole('button', { name: 'Remove' }).click();
    await confirm.click();
    await details.getByLabel('Remove it although it is used').check();
    await confirm.click();
    await page.getByText('a part is removed.').waitFor();
  });
});
