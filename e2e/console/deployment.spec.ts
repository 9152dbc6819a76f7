import { expect, test } from '@jest/globals';
import { inBrowser } from './console.js';

inBrowser('the views of administrators', (desk) => {
  test('the secret of a key is shown once; a revoked key is refused', async () => {
    const { open, loci } = desk();
    const page = await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('travel agent');
    expect(await page.getByRole('checkbox', { name: /^write/ }).isChecked()).toBe(false);
    await page.getByText(/^The key will only read in .*, until it is revoked\.$/).waitFor();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    const listed = (): Promise<number> =>
      fetch(`${loci.url}/api/v2/projects/list`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
      }).then(({ status }) => status);
    expect(await listed()).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Secret', { exact: true }).waitFor({ state: 'detached' });
    await page
      .getByRole('cell', { name: /travel agent/ })
      .first()
      .waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Rotate travel agent' }).click();
    await page.getByLabel('The former secret stays valid for').selectOption('0');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).innerText()).not.toBe(secret);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke travel agent' }).click();
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await page.getByText('The key ends everywhere within a second').waitFor();
  });

  test('a key says until when its former secret is valid', async () => {
    const { open, api } = desk();
    await api('grace').expect(201, '/keys', { name: 'with a grace', scopes: ['read'] });
    const page = await open('/keys');
    const key = page.getByRole('row').filter({ hasText: 'with a grace' });
    const rotate = async (grace: string): Promise<void> => {
      await key.getByRole('button', { name: 'Rotate' }).click();
      await page.getByLabel('The former secret stays valid for').selectOption(grace);
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      await page.getByLabel('Secret', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
    };
    await rotate('3600');
    await key.getByText(/the former is valid until/).waitFor();
    await rotate('0');
    await key.getByText(/the former is valid until/).waitFor({ state: 'detached' });
    await key.getByText(/new secret/).waitFor();
  });

  test('the actions of a key with a long name are in sight', async () => {
    const { open, api } = desk();
    const name = 'n'.repeat(100);
    await api('long').expect(201, '/keys', { name, scopes: ['read'] });
    const page = await open('/keys');
    const { x = 0, width = 0 } =
      (await page.getByRole('button', { name: `Revoke ${name}` }).boundingBox()) ?? {};
    const list = (await page.getByRole('region', { name: 'Keys' }).boundingBox()) ?? { x: 0, width: 0 };
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(list.x + list.width);
  });

  test('memory is configured, quotas are set, and the audit tells of both', async () => {
    const { open, at, api } = desk();
    await api('quotas').add(['Hello.']);
    const page = await open('/quotas?org=quotas');
    const form = page.getByRole('region', { name: 'Set quotas' });
    await form.getByLabel('Keys').fill('7');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('of 7').waitFor();
    await page.goto(at('/memory'));
    const semantic = page.getByRole('region', { name: 'Semantic memory' });
    await semantic.getByLabel('Seconds after which fewer are learned from').fill('299');
    await semantic.getByRole('button', { name: 'Save' }).click();
    // a page that is left takes what it sends with it
    await page.getByText(/^Updated: /).waitFor();
    await page.goto(at('/audit?operation=PUT%20/api/v2/quotas'));
    await page.getByRole('cell', { name: 'PUT /api/v2/quotas' }).first().waitFor();
    await page.goto(at('/audit?operation=PUT%20/api/v2/config/memory/semantic'));
    await page
      .getByRole('cell', { name: /PUT .*semantic/ })
      .first()
      .waitFor();
  });

  test('a project whose messages are not in English is offered another embedder', async () => {
    const { open, api } = desk();
    await api('berlin').add(['Seit März wohne ich in einer kleinen Wohnung am Fluss']);
    const page = await open('/projects');
    const row = page.getByRole('row').filter({ hasText: 'berlin' });
    await row.getByText('Messages in German: this embedder was trained on English').waitFor();
    await row.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  });

  test('projects are listed with their vectors, and made', async () => {
    const page = await desk().open('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Organization').fill('made');
    await dialog.getByLabel('Project', { exact: true }).fill('by-hand');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Nothing was said here yet').waitFor();
    await page.goto(desk().at('/projects'));
    const row = page.getByRole('row', { name: /made by-hand/ });
    await row.getByText('ready').waitFor();
  });
});
