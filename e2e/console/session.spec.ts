import { expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { inBrowser } from './console.js';

const FIRST_VIEW_MAX_BYTES = 250_000;

inBrowser('the session of a browser', (desk) => {
  test('the address of Loci leads to the console, which asks for a key and refuses a wrong one', async () => {
    const { loci, key, open, at } = desk();
    const page = await open('', { as: '' });
    await page.goto(loci.url);
    expect(page.url()).toBe(at(''));
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with a key' }).waitFor();
  });

  test('no script of the page can read the key or the session, and nothing comes from elsewhere', async () => {
    const { key, open, loci } = desk();
    const page = await open('', { as: '' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(asked.filter((url) => !url.startsWith(`${loci.url}/`))).toEqual([]);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
    const readable = await page.evaluate(
      `document.documentElement.outerHTML + document.cookie + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`,
    );
    expect(readable).not.toContain(key);
    expect(readable).not.toContain(cookies[0]?.value);
  });

  test('the first view weighs at most 250 kB, compressed', async () => {
    const page = await desk().open('');
    const asked: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/console' || pathname.startsWith('/console/assets/')) asked.push(response.url());
    });
    await page.reload({ waitUntil: 'load' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const sizeOf = async (url: string): Promise<number> =>
      gzipSync(await (await page.request.get(url)).body()).length;
    const sizes = await Promise.all([...new Set(asked)].map(sizeOf));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThanOrEqual(FIRST_VIEW_MAX_BYTES);
  });

  test('a key that reads sees no button that would be refused, and learns why a view is closed to it', async () => {
    const { open, api } = desk();
    const client = api('readers');
    await client.add(['Tea, please.'], { producer: 'mira' });
    const { secret } = await client.expect(201, '/keys', { name: 'reader', scopes: ['read'] });
    const page = await open("/p/readers/main/episodes?filter=producer_id%3D'mira'", { as: String(secret) });
    await page.getByText('Tea, please.').click();
    expect(await page.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    await page.goto(desk().at('/models'));
    await page.getByText('Your key does not allow this').waitFor();
  });
});
