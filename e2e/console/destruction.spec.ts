import { expect, test } from '@jest/globals';
import { inBrowser } from './console.js';

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
    await page.keyboard.press('Enter');
    await details.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was said here yet').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
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
    await page.getByText('Meanwhile another number matches: nothing is deleted.').waitFor();
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
    await page.keyboard.press('Enter');
    await revoke.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^The key ends everywhere/).waitFor();
    await revoke.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
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
});
