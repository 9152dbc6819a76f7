import { expect, test } from '@jest/globals';
import { type Page, type Route } from 'playwright-core';
import { inBrowser } from './console.js';

/** Views that ask for something, below the address of the console. */
const VIEWS = [
  ...['/', '/projects', '/models', '/memory', '/keys', '/webhooks', '/quotas?org=states', '/audit'],
  ...[
    'episodes',
    'features',
    'conflicts',
    'users',
    'users/mira',
    'search?q=tea',
    'recall?q=tea',
    'ingestion',
  ].map((view) => `/p/states/main/${view}`),
];

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code, title: code, detail: `It is ${code}.`, type: 'about:blank' }),
});

/** What is answered in each state, and what tells that the view shows it. */
const STATES = {
  loading: { answer: () => undefined, shows: (page: Page) => page.getByRole('status', { name: 'Loading' }) },
  forbidden: {
    answer: (route: Route) => void route.fulfill(problem(403, 'forbidden')),
    shows: (page: Page) => page.getByText(/Your key does not allow this|It is forbidden/),
  },
  error: {
    answer: (route: Route) => void route.fulfill(problem(409, 'broken')),
    shows: (page: Page) => page.getByText(/This did not work|It is broken/),
  },
} as const;

inBrowser('the states of every view', (desk) => {
  test.each(Object.keys(STATES) as (keyof typeof STATES)[])('%s is shown', async (name) => {
    const { open, api, at } = desk();
    await api('states').add(['Tea, please.'], { producer: 'mira', metadata: { user_id: 'mira' } });
    const { answer, shows } = STATES[name];
    const page = await open('/nowhere');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.route('**/api/v2/**', (route) => answer(route));
    const missing: string[] = [];
    for (const view of VIEWS) {
      await page.goto(at(view), { waitUntil: 'commit' });
      await shows(page)
        .first()
        .waitFor({ timeout: 10_000 })
        .catch(() => missing.push(view));
    }
    expect(missing).toEqual([]);
  });

  test('empty is shown, with what to do about it', async () => {
    const { open, api, at } = desk();
    await api('nothing').expect(201, '/projects', {});
    const page = await open('/nowhere');
    for (const [view, said] of [
      ['episodes', 'Nothing was said here yet'],
      ['features', 'Nothing is known yet'],
      ['conflicts', 'Nothing contradicts anything'],
      ['users', 'No user is known yet'],
      ['search?q=tea', 'Nothing was found'],
      ['recall?q=tea', 'Nothing is remembered'],
      ['ingestion', 'Nothing was ever learned here'],
    ] as const) {
      await page.goto(at(`/p/nothing/main/${view}`));
      await page.getByText(said).first().waitFor();
    }
  });

  test('offline is said on every view, which keeps what it shows', async () => {
    const { open, at } = desk();
    const page = await open('/nowhere');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    for (const view of ['/', '/p/states/main/episodes', '/p/states/main/ingestion', '/keys']) {
      await page.goto(at(view));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('Loci is not reached.').waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      await page.context().setOffline(false);
    }
    desk().complaints.splice(0);
  });
});
