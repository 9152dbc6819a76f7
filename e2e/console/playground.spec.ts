import { expect, test } from '@jest/globals';
import { type components } from '@loci/client';
import { eventually } from '@loci/testing';
import { type Client } from '../harness/client.js';
import { haveVectors, inBrowser } from './console.js';

const SAID = ['I like the window seat.', 'The window was open.', 'I like tea.', 'My seat was broken.'];

/** @returns the ids of what a query about window seats means, and of what it does not */
async function twoFeatures(client: Client): Promise<{ readonly of: string; readonly unlike: string }> {
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const add = async (feature: string, value: string): Promise<string> => {
    const body = { set_id, category_name: 'profile', tag: 'travel', feature, value };
    return String((await client.expect(201, '/memories/semantic/feature', body)).feature_id);
  };
  const ids = { of: await add('seat', 'a window seat'), unlike: await add('meal', 'a vegetarian meal') };
  await eventually(
    async () => {
      const { content } = await client.expect(200, '/memories/search', { query: 'window seat' });
      return (content as components['schemas']['SearchResultContent']).semantic_memory?.length === 2;
    },
    { what: 'each is found, which takes its vector where it shares no word' },
  );
  return ids;
}

inBrowser('the playground of searches', (desk) => {
  test('shows what a score is made of, two settings beside each other, and the request as code', async () => {
    const { open, api, loci } = desk();
    await api('searches').add(SAID, { producer: 'mira' });
    await haveVectors(api('searches'));
    const page = await open('/p/searches/main/search');
    await page.getByLabel('Query').fill('Where do I like to sit?');
    // of so few messages the rest is short-term memory, which is no hit
    await page.getByRole('group', { name: 'Settings', exact: true }).getByLabel('Hits').fill('2');
    await page.getByRole('button', { name: 'Compare two settings' }).click();
    const other = page.getByRole('group', { name: 'Other settings' });
    await other.getByLabel('Hits').fill('1');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const [first, second] = [
      page.getByRole('region', { name: 'Hits', exact: true }),
      page.getByRole('region', { name: 'With the other settings' }),
    ];
    await second
      .getByText('only here')
      .or(second.getByRole('img', { name: /Meaning/ }))
      .first()
      .waitFor();
    await first.locator('ol > li').nth(1).waitFor();
    const legend = await page.getByRole('list', { name: 'Parts of a score' }).innerText();
    expect([legend.includes('Meaning'), legend.includes('Reranker')]).toEqual([true, false]);
    expect(await second.locator('ol > li').count()).toBe(1);
    await first
      .getByRole('img', { name: /^Score parts: .*Meaning \d/ })
      .first()
      .click();
    await first.getByRole('rowheader', { name: 'Meaning' }).waitFor();
    await page.getByRole('button', { name: 'As code' }).click();
    expect(await page.getByLabel('Language: curl').innerText()).toContain(
      `${loci.url}/api/v2/memories/search`,
    );
    const python = page.getByRole('tab', { name: 'Python' });
    await python.click();
    const code = page.getByLabel('Language: Python');
    await code.filter({ hasText: '"top_k": 2' }).waitFor();
    await page.getByLabel('With which settings').selectOption('Other settings');
    await code.filter({ hasText: '"top_k": 1' }).waitFor();
  });

  test('a filter is completed by the newest messages, and told beside it why it is refused', async () => {
    const { open, api } = desk();
    await api('completed').add(SAID, { producer: 'mira' });
    const page = await open('/p/completed/main/search?q=tea');
    const field = page.getByLabel('Filter', { exact: true });
    await page.getByRole('region', { name: 'Hits', exact: true }).waitFor();
    await field.click();
    await page.keyboard.type("producer_id='mi");
    // the newest messages may come later than that
    const offered = page.getByRole('option', { name: "'mira'" });
    await eventually(
      async () => {
        if ((await offered.count()) > 0) return true;
        await page.keyboard.press('Control+Space');
        return false;
      },
      { what: 'a value of the newest messages is offered' },
    );
    await offered.click();
    await page.keyboard.press('Enter');
    await page.waitForURL(/producer_id/);
    await field.fill('nonsense = 1');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringMatching(/^Position 1: unknown field 'nonsense'/),
    ]);
    expect(await page.getByRole('region', { name: 'Hits', exact: true }).count()).toBe(0);
  });

  test('a search as code has no key where Loci asks for none', async () => {
    const { open, api, at } = desk();
    await api('open').add(['Tea, please.'], { producer: 'mira' });
    const page = await open('/nowhere');
    await page.route('**/console/session', async (route) => {
      const session = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...session, authentication: false } });
    });
    await page.goto(at('/p/open/main/search?q=tea'));
    await page.getByRole('button', { name: 'As code' }).click();
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await page.getByRole('tab', { name: language }).click();
      const text = await page.getByLabel(`Language: ${language}`).innerText();
      expect(text).toContain('/api/v2/memories/search');
      expect(text).not.toContain('LOCI_KEY');
    }
  });

  test('says why an expected memory is not there', async () => {
    const { open, api } = desk();
    const uids = await api('expected').add(SAID, { producer: 'mira' });
    await haveVectors(api('expected'));
    const page = await open(`/p/expected/main/episodes?uid=${uids[2] ?? ''}`);
    await page.getByRole('link', { name: 'Why is it not found?' }).click();
    await page.getByLabel('Query').fill('window seat');
    await page.getByLabel('Hits').fill('1');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^Expected memory: (Found with|Neither|It is among)/).waitFor();
    expect(page.url()).toContain(`expected=${uids[2] ?? ''}`);
    await page.getByLabel('Expected memory, by id').fill(uids[0] ?? '');
    await page.getByText('Expected memory: It is hit 1').waitFor();
  });

  test('says so of the oldest message, too, and of a feature: the details of each lead there', async () => {
    const { open, api } = desk();
    const client = api('oldest');
    const [oldest = ''] = await client.add(['My bicycle is red.'], { producer: 'mira' });
    for (let page = 0; page < 2; page += 1) {
      const texts = Array.from({ length: 75 }, (_, index) => `Note ${page * 75 + index} about the weather.`);
      await client.add(texts, { producer: 'mira' });
    }
    const { of } = await twoFeatures(client);
    await haveVectors(client);
    const page = await open(`/p/oldest/main/features?id=${of}`);
    await page.getByRole('link', { name: 'Why is it not found?' }).click();
    await page.waitForURL(new RegExp(`expected=${of}`));
    await page.getByLabel('Expected memory, by id').fill(oldest);
    await page.getByLabel('Query').fill('What colour is my bicycle?');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Expected memory: It is hit 1').waitFor();
    await page.getByLabel('Query').fill('weather');
    await page.getByRole('spinbutton', { name: 'Hits' }).fill('1');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^Expected memory: (Found with|It is a message)/).waitFor();
  });

  test('says of an expected feature which one it is, and of an id whether a memory has it', async () => {
    const { open, api } = desk();
    const { of, unlike } = await twoFeatures(api('wanted'));
    const page = await open(`/p/wanted/main/search?q=window%20seat&expected=${of}`);
    const verdict = page.getByText(/^Expected memory: /);
    await page.getByText(/^Expected memory: It is feature 1, with a score of \d\.\d{3}\.$/).waitFor();
    await page.getByLabel('Expected memory, by id').fill(of.slice(1));
    await verdict.filter({ hasText: 'That is no id of a memory.' }).waitFor();
    await page.getByLabel('Expected memory, by id').fill('00000000-0000-7000-8000-000000000000');
    await verdict.filter({ hasText: 'There is no such memory in this project.' }).waitFor();
    await page.getByLabel('Expected memory, by id').fill(unlike);
    await page.getByRole('spinbutton', { name: 'Hits' }).fill('1');
    await page.keyboard.press('Enter');
    await verdict.filter({ hasText: 'It is a feature. As many as “Hits” asks for fit better' }).waitFor();
  });

  test('ranks features among the hits, leads to each, and compares them between two settings', async () => {
    const { open, api } = desk();
    const { of } = await twoFeatures(api('ranked'));
    const settings = ['a=%7B%7D', 'b=%7B%22top_k%22%3A1%7D'].join('&');
    const page = await open(`/p/ranked/main/search?q=window%20seat&${settings}`);
    const found = page.getByRole('list', { name: 'Features' });
    await found.nth(1).waitFor();
    const items = found.first().getByRole('listitem');
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/^1\s+travel › seat\s+protected\s+0\.\d{3}\s+a window seat$/),
      expect.stringMatching(/^2\s+travel › meal\s+protected\s+only here\s+0\.\d{3}\s+a vegetarian meal$/),
    ]);
    expect(await found.nth(1).getByRole('listitem').count()).toBe(1);
    await items
      .first()
      .getByRole('img', { name: /^Score parts: Meaning 0\.\d\d, Words 0\.\d\d$/ })
      .click();
    const rows = items.first().getByRole('row');
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^Part\s/),
      expect.stringMatching(/^Meaning\s+0\.\d{3}\s+1\s+0\.70\s+0\.\d{3}$/),
      expect.stringMatching(/^Words\s+\d+\.\d{3}\s+1\s+0\.30\s+0\.\d{3}$/),
      expect.stringMatching(/^Sum\s+0\.\d{3}$/),
    ]);
    await items.first().getByRole('link', { name: 'travel › seat' }).click();
    await page.waitForURL(new RegExp(`/features\\?id=${of}`));
  });

  test('shows what a reranker made of each hit, and that it makes the score', async () => {
    const { open, api, at, register } = desk();
    await register('rerankers', { name: 'by words', provider: 'bm25', config: {} });
    await api('reranked').expect(201, '/projects', { config: { reranker: 'by words' } });
    await api('reranked').add(SAID, { producer: 'mira' });
    await haveVectors(api('reranked'));
    const page = await open('/nowhere');
    await page.goto(at('/p/reranked/main/search?q=window%20seat'));
    const hit = page.getByRole('region', { name: 'Hits', exact: true }).locator('ol > li').first();
    await hit.getByRole('img', { name: /^Score with the reranker: Parts together .*Reranker 0\.10/ }).click();
    const cells = hit.getByRole('row', { name: /^Reranker/ }).getByRole('cell');
    await cells.first().waitFor();
    expect((await cells.allInnerTexts()).slice(1, 3)).toEqual(['1', '0.10']);
    const score = await hit
      .getByRole('row', { name: /^Score \d/ })
      .getByRole('cell')
      .innerText();
    await hit.getByText(score, { exact: true }).first().waitFor();
  });

  test('keeps the trust of a feature on one line, however long what it says is', async () => {
    const { open, api } = desk();
    const client = api('long');
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const feature = { category_name: 'profile', tag: 'travel', feature: 'seat', value: 'window '.repeat(80) };
    await client.expect(201, '/memories/semantic/feature', { set_id, ...feature });
    const page = await open('/p/long/main/search?q=window', { viewport: { width: 390, height: 844 } });
    const trust = page.getByTitle('Only a client or a trusted producer changes it');
    await trust.waitFor();
    const { width = 0, height = 0 } = (await trust.boundingBox()) ?? {};
    // one line of text is wider than it is high
    expect(width).toBeGreaterThan(2 * height);
  });
});
