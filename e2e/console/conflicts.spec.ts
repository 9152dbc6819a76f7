import { expect, test } from '@jest/globals';
import { type Client } from '../harness/client.js';
import { haveVectors, inBrowser } from './console.js';

/** Two towns where one is at home; their features by their values. */
async function contradict(client: Client): Promise<Record<'Linz' | 'Graz', string>> {
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const said = { set_id, category_name: 'profile', tag: 'home', feature: 'town', single_valued: true };
  const add = async (value: string): Promise<string> => {
    const { feature_id } = await client.expect(201, '/memories/semantic/feature', { ...said, value });
    return String(feature_id);
  };
  return { Linz: await add('Linz'), Graz: await add('Graz') };
}

inBrowser('what contradicts, and what is remembered', (desk) => {
  test('a conflict is settled by a person, and recall answers messages and features in one list', async () => {
    const { open, api, at } = desk();
    const client = api('conflicts');
    await client.add(['I moved to Graz.'], { producer: 'mira' });
    await contradict(client);
    const page = await open('/p/conflicts/main/conflicts');
    await page.getByRole('button', { name: 'This holds: Graz' }).click();
    await page.getByText('One other has ended.').waitFor();
    await page.getByText('Nothing contradicts anything').waitFor();

    await haveVectors(client);
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

    // what is remembered of one user is not shown as that of another, whose answer is awaited
    await page.goBack();
    await memories.getByText('I moved to Graz.').waitFor();
    await page.route('**/api/v2/recall', () => undefined);
    await page.getByLabel('User').fill('noah');
    await page.getByRole('button', { name: 'Recall' }).click();
    await page.waitForURL(/user=noah/);
    await memories.getByText('Graz').first().waitFor({ state: 'detached' });
  });

  test('what a settlement left as it was is said, with the reason', async () => {
    const { open, api } = desk();
    const client = api('conflicts-left');
    await client.add(['I moved to Graz.'], { producer: 'mira' });
    await contradict(client);
    const page = await open('/p/conflicts-left/main/conflicts');
    await page.route('**/conflict/settle', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-left-count': '3' } });
    });
    await page.getByRole('button', { name: 'This holds: Graz' }).click();
    await page
      .getByText(
        'One other has ended. 3 are left as they were: they are too many or too large to end at once.',
      )
      .waitFor();
  });

  test.each(['settled', 'deleted'])('what was %s elsewhere is said to be settled, and goes', async (what) => {
    const { open, api } = desk();
    const client = api(`conflicts-${what}`);
    await client.add(['I moved to Graz.'], { producer: 'mira' });
    const { Linz, Graz } = await contradict(client);
    const page = await open(`/p/conflicts-${what}/main/conflicts`);
    const holds = page.getByRole('button', { name: 'This holds: Graz' });
    await holds.waitFor();
    if (what === 'settled') {
      await client.expect(204, '/memories/semantic/conflict/settle', { feature_id: Linz });
    } else {
      await client.expect(204, '/memories/semantic/delete', { semantic_ids: [Graz] });
    }
    await holds.click();
    await page.getByText('This has been settled meanwhile.').waitFor();
    await page.getByText('Nothing contradicts anything').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
