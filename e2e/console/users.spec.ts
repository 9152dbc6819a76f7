import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { inBrowser } from './console.js';

inBrowser('a user', (desk) => {
  test('has sessions, is exported and forgotten', async () => {
    const { open, api } = desk();
    const metadata = { user_id: 'mira', session_id: 'lisbon' };
    await api('users').add(['I fly to Lisbon.', 'In May.'], { producer: 'mira', metadata });
    const page = await open('/p/users/main/users');
    await page.getByRole('link', { name: 'mira' }).click();
    await page.getByRole('link', { name: /lisbon 2 messages/ }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('I fly to Lisbon.');
    await page.getByRole('button', { name: 'Forget mira' }).click();
    await page.getByLabel('To delete them, type 2').fill('2');
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText('Deleted: 2 of 2').waitFor();
  });
});
