import { beforeAll, expect, test } from '@jest/globals';
import { hindrances, inBrowser } from './console.js';

/** Views by what tells that they are there. */
const VIEWS = {
  '': 'Overview',
  '/start': 'Get started',
  '/projects': 'Projects',
  '/p/everyone/main/episodes': 'Episodes',
  "/p/everyone/main/episodes?filter=producer_id%3D'mira'": 'Episodes',
  '/p/everyone/main/features': 'Features',
  '/p/everyone/main/users': 'Users',
  '/p/everyone/main/users/mira': 'mira',
  '/p/everyone/main/search?q=tea': 'Search',
  '/p/everyone/main/ingestion': 'Ingestion',
  '/p/everyone/main/conflicts': 'Conflicts',
  '/p/everyone/main/recall?q=tea': 'Recall',
  '/models': 'Models',
  '/memory': 'Memory',
  '/keys': 'Keys',
  '/webhooks': 'Webhooks',
  '/quotas': 'Quotas',
  '/audit': 'Audit',
  '/nowhere': 'Not found',
};

const WIDTHS = [1280, 390];
const THEMES = ['light', 'dark'] as const;

inBrowser('every view', (desk) => {
  beforeAll(async () => {
    const client = desk().api('everyone');
    const said = ['Tea, please.', 'With milk.', 'A long word: '.repeat(40)];
    await client.add(said, { producer: 'mira', metadata: { user_id: 'mira', session_id: 'one' } });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const feature = { set_id, category_name: 'profile', tag: 'food', feature: 'drink', value: 'tea' };
    await client.expect(201, '/memories/semantic/feature', feature);
    await client.expect(201, '/keys', { name: 'one of many', scopes: ['read'] });
    await client.expect(201, '/webhooks', { url: `http://127.0.0.1:1/${'long'.repeat(40)}` });
  });

  test('can be used by everybody, in both themes and at both widths, and fits its width', async () => {
    const page = await desk().open('/nowhere');
    for (const [view, heading] of Object.entries(VIEWS)) {
      await page.goto(desk().at(view));
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          // everything in each theme and at each width; colours in all four
          const isWhole = (width === 1280) === (colorScheme === 'light');
          const found = await hindrances(page, isWhole ? undefined : ['color-contrast']);
          expect({ view, width, colorScheme, found }).toMatchObject({ found: [] });
        }
        const tooWide = await page.evaluate(
          `[document.documentElement, document.querySelector('main')].filter((one) => one.scrollWidth > one.clientWidth).length`,
        );
        expect({ view, width, tooWide }).toMatchObject({ tooWide: 0 });
      }
    }
  });
});
