import { expect, test } from '@jest/globals';
import { inBrowser } from './console.js';

inBrowser('the overview', (desk) => {
  test('shows what is added and what happens while one looks', async () => {
    const { open, api } = desk();
    const client = api('watched');
    await client.add(['Hello.']);
    const page = await open('/p/watched/main/episodes');
    await page.getByText('Hello.').waitFor();
    // the view chosen last is the one that is watched
    await page.evaluate(`localStorage.setItem('loci-project', 'watched/main')`);
    const listening = page.waitForResponse((answer) => answer.url().includes('/api/v2/events'));
    await page.goto(desk().at(''));
    expect((await listening).status()).toBe(200);
    const messages = page.getByRole('region', { name: 'watched / main' });
    await messages.getByText('Messages', { exact: true }).waitFor();
    const events = page.getByRole('region', { name: 'Latest events' });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const feature = { set_id, category_name: 'profile', tag: 'food', feature: 'drink', value: 'tea' };
    await client.expect(201, '/memories/semantic/feature', feature);
    await events.getByText('Features: 1 added').first().waitFor();
    await events.getByText('watched / main').first().waitFor();
  });

  test('shows adds, searches, times and workers by minute, as every process tells them', async () => {
    const { open, api, loci, key } = desk();
    const client = api('counted');
    const page = await open('');
    const adds = page.getByRole('region', { name: 'Adds', exact: true });
    await adds.waitFor();
    await client.add(['Counted.']);
    await client.search('Counted');
    await adds.getByText(/p50 .* p99/).waitFor();
    await page
      .getByRole('region', { name: 'Searches' })
      .getByText(/p50 .* p99/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Messages made findable' })
      .getByText(/p50 .* p99/)
      .waitFor();
    const workers = page.getByRole('region', { name: 'Workers and services' });
    for (const service of ['gateway', 'episodic-worker', 'semantic-worker']) {
      await workers.getByRole('listitem').filter({ hasText: service }).getByText('1 running').waitFor();
    }
    const ofProject = await client.expect(201, '/keys', { name: 'x', scopes: ['read'] });
    const answers = await Promise.all(
      [key, String(ofProject['secret'])].map(async (secret) => {
        const headers = { authorization: `Bearer ${secret}` };
        return (await fetch(`${loci.url}/api/v2/statistics`, { headers })).status;
      }),
    );
    expect(answers).toEqual([200, 403]);
  });
});
