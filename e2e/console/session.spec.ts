import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { gzipSync } from 'node:zlib';
import { type Page } from 'playwright-core';
import { follow, inBrowser } from './console.js';
import { addressOf, PROJECT, VIEWS } from './views.js';

const SESSION = { headers: { 'x-loci-session': '1' } };

const FIRST_VIEW_MAX_BYTES = 250_000;

/** What buttons say that change something. */
const CHANGES =
  /delete|forget|store|new |replay|drop|correct|undo|save|register|rotate|revoke|prompt|accept|reject|settle|keep|disable/i;

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

  test('what is no key is refused in words that help, and one with its scheme before it is taken', async () => {
    const { key, open } = desk();
    const page = await open('/keys', { as: '' });
    for (const typed of ['wrong', 'ключ']) {
      await page.getByLabel('API key').fill(typed);
      await page.keyboard.press('Enter');
      await page
        .getByRole('alert')
        .getByText(/^Loci does not take this key/)
        .waitFor();
      await page.reload();
    }
    await page.getByLabel('API key').fill(` Bearer ${key} `);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
  });

  test('a session whose key is revoked or ends says so, and goes on in the same view with another key', async () => {
    const { key, open, api, at } = desk();
    const client = api('ended');
    await client.add(['Tea, please.'], { producer: 'mira' });
    const made = await client.expect(201, '/keys', { name: 'revoked', scopes: ['read'] });
    const view = at('/p/ended/main/episodes');
    const page = await open('/p/ended/main/users', { as: String(made['secret']) });
    await page.getByRole('cell', { name: 'mira' }).waitFor();
    const revoked = await client.ask('DELETE', `/keys/${String(made['id'])}`);
    expect(revoked.status).toBe(204);
    await eventually(async () => (await page.request.get(at('/session'), SESSION)).status() === 401, {
      what: 'the key is refused',
    });
    await page.getByRole('link', { name: 'Episodes' }).click();
    await page.getByText(/^Your session has ended/).waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('Tea, please.').waitFor();
    expect(page.url()).toBe(view);

    /** A page that shows the message until the key of its session ends. @throws Error if that came first */
    const openUntil = async (lastsMs: number): Promise<Page> => {
      const expires_at = new Date(Date.now() + lastsMs).toISOString();
      const ending = await client.expect(201, '/keys', {
        name: `ends after ${lastsMs}`,
        scopes: ['read'],
        expires_at,
      });
      const left = await open('/p/ended/main/episodes', { as: String(ending['secret']) });
      await left.getByText('Tea, please.').waitFor({ timeout: lastsMs });
      return left;
    };
    // a busy machine may take longer to draw the page
    const left = await openUntil(5_000).catch(() => openUntil(60_000));
    await left.getByText(/^Your session has ended/).waitFor({ timeout: 120_000 });
    expect(await left.getByText('Tea, please.').count()).toBe(0);
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
    const { open, api, at } = desk();
    const client = api('readers');
    const [uid = ''] = await client.add(['Tea, please.'], {
      producer: 'mira',
      metadata: { session_id: 'lisbon' },
    });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const drink = { set_id, category_name: 'profile', tag: 'food', feature: 'drink', value: 'tea' };
    const { feature_id } = await client.expect(201, '/memories/semantic/feature', drink);
    const { secret } = await client.expect(201, '/keys', { name: 'reader', scopes: ['read'] });
    const page = await open('/nowhere', { as: String(secret) });
    const offered: string[] = [];
    const views = Object.entries(VIEWS).map(([view, { heading }]) => [view, heading] as const);
    for (const [view, heading] of [
      ...views,
      [`${PROJECT}/episodes?filter=producer_id%3D'mira'`, 'Episodes'],
      [`${PROJECT}/episodes?uid=${uid}`, 'Message of mira'],
      [`${PROJECT}/features?id=${String(feature_id)}`, 'drink'],
    ] as const) {
      await follow(page, at(addressOf(view, 'readers')), heading);
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      const names = await page.getByRole('button').allInnerTexts();
      offered.push(...names.filter((name) => CHANGES.test(name)).map((name) => `${view}: ${name}`));
    }
    expect(offered).toEqual([]);
    await page.goto(at('/models'));
    await page.getByText('Your key does not allow this').waitFor();
    expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
  });

  test('what belongs to the organization is changed by its administrators, and offered to no other caller', async () => {
    const { open, api, at } = desk();
    const client = api('shared');
    const [uid] = await client.add(['Tea, please.'], { producer: 'mira' });
    const features: Record<string, string> = {};
    for (const [name, is_org_level] of [
      ['ours', true],
      ['own', false],
    ] as const) {
      const wanted = { metadata_tags: [], is_org_level };
      const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', wanted);
      const category = { category_name: 'tastes', prompt: 'Look for tastes.', description: 'Tastes.' };
      await client.expect(201, '/memories/semantic/category', { set_id, ...category });
      const said = { set_id, category_name: 'tastes', tag: 'food', feature: name, citations: [uid] };
      for (const value of ['tea', 'coffee']) {
        const added = await client.expect(201, '/memories/semantic/feature', {
          ...said,
          value,
        });
        features[name] = String(added['feature_id']);
      }
    }
    const bounds = { org_id: 'shared', project_id: null };
    const keys: Readonly<Record<string, object>> = {
      reader: { ...bounds, scopes: ['read'] },
      writer: { ...bounds, scopes: ['read', 'write'] },
      'writer of the project': { scopes: ['read', 'write'] },
      'administrator who speaks for a producer': { ...bounds, scopes: ['admin'], producer: 'mira' },
      administrator: { ...bounds, scopes: ['admin'] },
    };
    const offered: Record<string, Record<string, string>> = {};
    for (const [name, key] of Object.entries(keys)) {
      const { secret } = await client.expect(201, '/keys', { name, ...key });
      const page = await open('/nowhere', { as: String(secret) });
      offered[name] = {};
      for (const [feature, id] of Object.entries(features)) {
        await page.goto(at(`/p/shared/main/features?id=${id}`));
        const isThere = !(name === 'writer of the project' && feature === 'ours');
        const details = page.getByRole('dialog', { name: isThere ? feature : 'Feature' });
        await details
          .getByText(isThere ? 'What happened to it' : 'Not there, or not yours')
          .first()
          .waitFor();
        await details.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
        const names = await details.getByRole('button').allInnerTexts();
        offered[name][feature] = names.filter((one) => CHANGES.test(one)).join(' ');
      }
    }
    const all = 'Correct Delete Undo';
    expect(offered).toEqual({
      reader: { ours: '', own: '' },
      writer: { ours: '', own: all },
      'writer of the project': { ours: '', own: all },
      'administrator who speaks for a producer': { ours: '', own: all },
      administrator: { ours: all, own: all },
    });
  });

  test('a key that only writes is led to what it may do, and told why the rest is closed', async () => {
    const { open, api, at } = desk();
    const client = api('writers');
    const { secret } = await client.expect(201, '/keys', { name: 'writer', scopes: ['write'] });
    const page = await open('/start', { as: String(secret) });
    await page.getByRole('button', { name: 'Store the sample' }).click();
    await page.getByText('messages are stored').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Get started',
    ]);
    await page.goto(at(''));
    await page.getByText('Your key does not read').waitFor();
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url());
    });
    for (const view of ['/p/writers/main/users/mira', '/p/writers/main/sessions/lisbon']) {
      await page.goto(at(view));
      await page.getByText('Your key does not allow this').waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    }
    await page.getByRole('button', { name: /^Go to/ }).click();
    await page.getByRole('option', { name: 'Overview' }).waitFor();
    expect(refused).toEqual([]);
  });

  test('a key is rotated by one that lasts as long, and not after its end', async () => {
    const { open, api } = desk();
    const client = api('ends');
    const bounds = { org_id: 'ends', project_id: null, scopes: ['admin'] };
    const ends = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
    const { secret } = await client.expect(201, '/keys', { ...bounds, name: 'mine', expires_at: ends(3600) });
    await client.expect(201, '/keys', { ...bounds, name: 'for ever' });
    await client.expect(201, '/keys', {
      ...bounds,
      name: 'for others',
      producer: 'mira',
      expires_at: ends(600),
    });
    const page = await open('/keys', { as: String(secret) });
    await page.getByRole('button', { name: 'Revoke for ever' }).waitFor();
    expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Rotate for ever' }).count()).toBe(0);
  });
});
