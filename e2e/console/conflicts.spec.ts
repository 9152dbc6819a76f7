import { expect, test } from '@jest/globals';
import { inBrowser } from './console.js';

inBrowser('what contradicts, and what is remembered', (desk) => {
  test('a conflict is settled by a person, and recall answers messages and features in one list', async () => {
    const { open, api, at } = desk();
    const client = api('conflicts');
    await client.add(['I moved to Graz.'], { producer: 'mira' });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const said = { set_id, category_name: 'profile', tag: 'home', feature: 'town', single_valued: true };
    for (const value of ['Linz', 'Graz']) {
      await client.expect(201, '/memories/semantic/feature', { ...said, value });
    }
    const page = await open('/p/conflicts/main/conflicts');
    await page.getByRole('button', { name: 'This holds: Graz' }).click();
    await page.getByText('Nothing contradicts anything').waitFor();

    await page.goto(at('/p/conflicts/main/recall'));
    await page.getByLabel('Query').fill('Where does she live?');
    await page.getByRole('button', { name: 'Recall' }).click();
    const memories = page.getByRole('region', { name: 'Memories' });
    await memories.getByText('I moved to Graz.').waitFor();
    await memories.getByText('Graz', { exact: true }).waitFor();
    expect(await memories.getByText('Linz').count()).toBe(0);
    expect(await memories.getByRole('img', { name: /^Score/ }).count()).toBe(2);
    await memories.getByRole('link', { name: 'What supports it' }).click();
    await page.getByRole('dialog', { name: 'town' }).waitFor();
  });
});
