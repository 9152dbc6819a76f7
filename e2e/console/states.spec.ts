import { expect, test } from '@jest/globals';
import { type Locator, type Page, type Route } from 'playwright-core';
import { follow, inBrowser } from './console.js';
import { addressOf, PROJECT, VIEWS } from './views.js';

const problem = (status: number, code: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code, title: code, detail: `It is ${code}.`, type: 'about:blank' }),
});

/** What is answered in each state, and what tells that a view shows it. */
const STATES = {
  loading: {
    answer: () => undefined,
    shows: (where: Page | Locator) => where.getByRole('status', { name: 'Loading' }),
  },
  forbidden: {
    answer: (route: Route) => void route.fulfill(problem(403, 'forbidden')),
    shows: (where: Page | Locator) => where.getByText(/Your key does not allow this|It is forbidden/),
  },
  error: {
    answer: (route: Route) => void route.fulfill(problem(409, 'broken')),
    shows: (where: Page | Locator) => where.getByText(/This did not work|It is broken/),
  },
} as const;

/** Where the deployment of the tests always has something: what is answered where it has not. */
const NOTHING: Readonly<Record<string, object>> = {
  'projects/list': [],
  'keys?**': [],
  'webhooks?**': [],
  'audit?**': [],
  'config/resources': { language_models: [], embedders: [], rerankers: [], databases: [] },
};

const MISSING = '0197a3f2-6b1c-7d44-9c1e-2f6a8b0d4e11';

/** What stands beside a view: its heading, and what it says of what is not there. */
const DETAILS: Readonly<Record<string, readonly [heading: string, missing: string]>> = {
  [`${PROJECT}/episodes?uid=${MISSING}`]: ['Message', 'There is no such message'],
  [`${PROJECT}/features?id=${MISSING}`]: ['Feature', 'Not there, or not yours'],
  [`${PROJECT}/ingestion?call=${MISSING}`]: ['Call of a model', 'Not there, or not yours'],
  '/models?kind=embedders&name=missing': ['missing', 'Not there, or not yours'],
  [`/webhooks?id=${MISSING}`]: ['Webhook', 'Not there, or not yours'],
};

const WALKED = Object.entries(VIEWS).filter(([, { isStill }]) => isStill !== true);

/** Answers as if there were very many; the page gets the first of them. */
async function pretendMany(page: Page, path: string): Promise<void> {
  await page.route(`**/api/v2/${path}?*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '3412' } });
  });
}

inBrowser('the states of every view', (desk) => {
  /** Goes to each view, and names those that do not show what they should. */
  async function walk(
    page: Page,
    org: string,
    views: typeof WALKED,
    shown: (view: (typeof WALKED)[number][1]) => Locator,
  ): Promise<string[]> {
    const missing: string[] = [];
    for (const [view, about] of views) {
      await follow(page, desk().at(addressOf(view, org)), about.heading);
      await shown(about)
        .first()
        .waitFor()
        .catch(() => missing.push(view));
    }
    return missing;
  }

  /** Opens what stands beside each view, and names those that do not show what they should. */
  async function walkDetails(
    page: Page,
    shown: (dialog: Locator, missing: string) => Locator,
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const [view, [name, missing]] of Object.entries(DETAILS)) {
      await follow(page, desk().at(addressOf(view, 'states')), name);
      await shown(page.getByRole('dialog', { name }), missing)
        .first()
        .waitFor()
        .catch(() => wrong.push(view));
    }
    return wrong;
  }

  /** A page of which nothing but the session is known: what it asks from now on is answered as `answer` says. */
  async function pageWith(answers: Readonly<Record<string, (route: Route) => void>>): Promise<Page> {
    const { open, at } = desk();
    const page = await open('/nowhere');
    for (const [path, answer] of Object.entries(answers)) {
      await page.route(`**/api/v2/${path}`, (route) => answer(route));
    }
    await page.goto(at('/nowhere'));
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    return page;
  }

  test('a list that is not whole says so, and so do figures of it', async () => {
    const { open, api, at } = desk();
    await api('many').add(['Hello.'], { producer: 'mira' });
    const page = await open('/nowhere');
    for (const path of ['keys', 'ingestion/jobs', 'ingestion/dead-letters']) await pretendMany(page, path);
    await page.goto(at('/keys'));
    await page.getByText(/^These are \d+ of 3,412 keys/).waitFor();
    await page.goto(at('/p/many/main/ingestion'));
    await page.getByText(/^These are \d of 3,412 sets/).waitFor();
    await page.getByText(/^These are \d of 3,412 dead letters/).waitFor();
    await page.getByText('of the sets below').nth(1).waitFor();
  });

  test.each(Object.keys(STATES) as (keyof typeof STATES)[])('%s is shown', async (name) => {
    const { answer, shows } = STATES[name];
    const page = await pageWith({ '**': answer });
    expect(await walk(page, 'states', WALKED, () => shows(page))).toEqual([]);
    const lies: string[] = [];
    for (const [view, { heading, empty = 'nothing' }] of WALKED) {
      await follow(page, desk().at(addressOf(view, 'states')), heading);
      await shows(page).first().waitFor();
      if ((await page.getByText(empty).count()) > 0) lies.push(view);
    }
    expect(lies).toEqual([]);
    expect(await walkDetails(page, (dialog) => shows(dialog))).toEqual([]);
  });

  test('what is not there is said beside a view', async () => {
    await desk()
      .api('states')
      .expect(200, '/memories', { messages: [{ content: 'Coffee, please.' }] });
    const page = await desk().open('/nowhere');
    expect(await walkDetails(page, (dialog, missing) => dialog.getByText(missing))).toEqual([]);
  });

  test('a project that does not exist is not shown as an empty one', async () => {
    const { open, at } = desk();
    const page = await open('/p/never/main/episodes');
    for (const view of ['episodes', 'users', 'users/mira', 'features', 'ingestion', 'search?q=tea']) {
      await page.goto(at(`/p/never/main/${view}`));
      await page.getByText('There is no project never / main').waitFor();
    }
  });

  test('empty is shown, with what to do about it', async () => {
    await desk().api('nothing').expect(201, '/projects', {});
    const headers = { 'x-total-count': '0' };
    const answers = Object.entries(NOTHING).map(
      ([path, json]) => [path, (route: Route) => void route.fulfill({ json, headers })] as const,
    );
    const page = await pageWith(Object.fromEntries(answers));
    const views = WALKED.filter(([, { empty }]) => empty !== undefined);
    expect(await walk(page, 'nothing', views, ({ empty = '' }) => page.getByText(empty))).toEqual([]);
  });

  test('offline is said, and what was shown stays', async () => {
    const { open, api, at } = desk();
    await api('states').add(['Coffee, please.'], { producer: 'mira', metadata: { user_id: 'mira' } });
    const page = await open('/nowhere');
    const quiet: string[] = [];
    for (const [view, { heading }] of Object.entries(VIEWS)) {
      await follow(page, at(addressOf(view, 'states')), heading);
      // the view itself: the one before may have a panel of that name
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.context().setOffline(true);
      await page
        .getByText('Loci is not reached.')
        .waitFor()
        .catch(() => quiet.push(view));
      if ((await page.getByRole('heading', { level: 1, name: heading }).count()) !== 1) quiet.push(view);
      await page.context().setOffline(false);
    }
    expect(quiet).toEqual([]);
    desk().complaints.splice(0);
  });

  test('what is asked for again in vain stays in sight, below the word that it is old', async () => {
    const { open, api } = desk();
    await api('unreached').add(['Coffee, please.'], { producer: 'mira' });
    const page = await open('/p/unreached/main/episodes', { isImpatient: true });
    const said = page.getByText('Coffee, please.');
    await said.waitFor();
    // the list asks for its length every few seconds
    await page.route('**/api/v2/**', (route) => route.abort());
    const banner = page.getByText('Loci is not reached. What you see is what was known before.');
    await banner.waitFor();
    await said.waitFor();
    expect(await page.getByText('Loci was not reached').count()).toBe(0);
    // what the page has at hand is no answer
    await page.getByRole('button', { name: 'Message of mira: details' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await banner.waitFor();
    await page.unroute('**/api/v2/**');
    await banner.waitFor({ state: 'detached' });
    await said.waitFor();
  });

  test('what had no answer comes by itself once Loci answers, and says so until then', async () => {
    const { open, api, at } = desk();
    await api('back').add(['Coffee, please.'], { producer: 'mira' });
    const page = await open('/nowhere', { isImpatient: true });
    await page.route('**/api/v2/**', (route) => route.abort());
    await page.route('**/api/v2/memories/list', (route) => route.fulfill(problem(503, 'unavailable')));
    await page.goto(at('/p/back/main/episodes'));
    await page.getByText('It is unavailable.').waitFor();
    await page.getByText('It is asked again every few seconds, until Loci answers.').waitFor();
    await page.getByText('Loci is not reached.').waitFor();
    await page.unroute('**/api/v2/**');
    await page.unroute('**/api/v2/memories/list');
    await page.getByText('Coffee, please.').waitFor();
    await page.getByText('Loci is not reached.').waitFor({ state: 'detached' });
  });

  test('an open deployment says that it records nothing', async () => {
    const { open, at } = desk();
    const page = await open('/nowhere');
    await page.route('**/console/session', async (route) => {
      const session = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...session, authentication: false } });
    });
    await page.route('**/api/v2/audit?**', (route) => route.fulfill({ json: [] }));
    await page.goto(at('/audit'));
    await page.getByText('This Loci asks for no key').waitFor();
    await page.getByLabel('Operation').fill('POST /api/v2/keys');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No record matches').waitFor();
  });

  test('an address that anybody wrote opens its view, whatever is behind the question mark', async () => {
    const { open, api, at } = desk();
    await api('states').add(['Tea, please.']);
    const page = await open('/nowhere');
    for (const written of ['', '.', '{"a":1}', 'x'.repeat(2_000)]) {
      for (const [view, name, heading] of [
        ['/p/states/main/ingestion', 'call', 'Ingestion'],
        ['/p/states/main/search?q=tea', 'a', 'Search'],
        ['/webhooks', 'id', 'Webhooks'],
      ] as const) {
        // a view that breaks on it complains, which fails the test
        await follow(
          page,
          at(`${view}${view.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(written)}`),
          heading,
        );
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      }
    }
  });

  test('every view that the navigation leads to is walked', async () => {
    const { open, api } = desk();
    await api('states').add(['Tea, please.']);
    const page = await open('/p/states/main/episodes');
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    await links.getByText('Audit').waitFor();
    const named = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav[aria-label=Views] a')].map((one) => one.getAttribute('href'))`,
    );
    const walked = Object.keys(VIEWS).map(
      (view) => `/console${addressOf(view, 'states').replace(/\?.*/, '')}`,
    );
    expect(named.filter((href) => !walked.includes(href.replace(/^\/console$/, '/console/')))).toEqual([]);
  });

  test('what is wrong with a field is said once, beside it', async () => {
    const { open } = desk();
    const page = await open('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Project' }).fill('no blanks');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([
      expect.stringMatching(/^String should match pattern/),
    ]);
  });

  test('a model that is tried while one looks at it is followed until it is known', async () => {
    const { open, at, register, models } = desk();
    const config = { model: 'gpt', api_key: 'wrong-key', base_url: models.urlOf('openai') };
    const model = { name: 'looked at early', provider: 'openai-responses', config, may_be_default: false };
    await register('language_models', model, 'failed');
    const page = await open('/models');
    let looks = 0;
    await page.route('**/resources/language_models/looked%20at%20early', async (route) => {
      const response = await route.fetch();
      const found = (await response.json()) as object;
      looks += 1;
      await route.fulfill({
        response,
        json: looks > 1 ? found : { ...found, status: 'pending', error: null },
      });
    });
    await page.goto(at('/models?kind=language_models&name=looked%20at%20early'));
    await page.getByRole('dialog').getByText('The model is registered, and does not work:').waitFor();
  });

  test('what became of a model that fails is said once, also after it was tried again', async () => {
    const { open, register, models } = desk();
    const config = { model: 'gpt', api_key: 'wrong-key', base_url: models.urlOf('openai') };
    const model = { name: 'said once', provider: 'openai-responses', config, may_be_default: false };
    await register('language_models', model, 'failed');
    const page = await open('/models?kind=language_models&name=said%20once');
    const details = page.getByRole('dialog');
    const said = details.getByText('The model is registered, and does not work:');
    await said.waitFor();
    const tried = page.waitForResponse(/said%20once\/retry/);
    await details.getByRole('button', { name: 'Try again' }).click();
    await tried;
    await details.locator('button[aria-busy=false]', { hasText: 'Try again' }).waitFor();
    await said.first().waitFor();
    expect(await said.count()).toBe(1);
  });
});
