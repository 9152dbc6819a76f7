import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Page } from 'playwright-core';
import { follow, hindrances, inBrowser } from './console.js';
import { addressOf, PROJECT, VIEWS } from './views.js';

/** A hundred looks of axe, each of which takes seconds on a machine that tests something else meanwhile. */
const WALK_MS = 900_000;

const WIDTHS = [1280, 390];

/** The width at which nothing may have to be scrolled sideways, as WCAG 2.2 has it (1.4.10). */
const NARROWEST = 320;
const THEMES = ['light', 'dark'] as const;

/** Turns around what follows it: `\u202egnp.exe` reads as `exe.png`. */
const OVERRIDE = '\u202e';

/** What strangers write: markup, words of any length, letters that turn around those behind them, nothing to be seen. */
const MARKUP = `${OVERRIDE}<img src=x onerror="alert(1)"><script>alert(2)</script><b>bold</b>`;
const WRITTEN = [
  MARKUP,
  '[click](javascript:alert(1)) **bold** ![x](http://elsewhere.example/x.png)',
  'W'.repeat(3_000),
  `${OVERRIDE}gnp.exe`,
  '\u200b\u200b\u200b',
  'a\u0300'.repeat(400),
  'مرحبا بالعالم',
  'line\n'.repeat(300),
  'Tea, please.',
];
const NAME = `<u>name</u>${OVERRIDE}${'N'.repeat(200)}`;

/** What stands beside a view, by what is added to its address. */
interface Beside {
  readonly uid: string;
  readonly feature: string;
  readonly webhook: string;
}

const besides = ({ uid, feature, webhook }: Beside): Record<string, string | RegExp> => ({
  [`${PROJECT}/episodes?filter=producer_id%3D'mira'`]: 'Episodes',
  [`${PROJECT}/episodes?uid=${uid}`]: 'Message of',
  [`${PROJECT}/features?id=${feature}`]: '<b>',
  [`${PROJECT}/users/${encodeURIComponent(NAME)}`]: '<u>name</u>',
  [`/models?kind=embedders&name=local`]: 'local',
  // not that of the view
  [`/webhooks?id=${webhook}`]: /^Webhook$/,
  '/nowhere': 'Not found',
});

/** What sticks out of the page, or of a list in it, for longer than a page takes for another width; code and tables scroll. */
async function sticksOut(page: Page): Promise<string[]> {
  let found: string[] = [];
  const fits = async (): Promise<boolean> => (found = await outOf(page)).length === 0;
  await eventually(fits, { what: 'all of it fits', timeoutMs: 30_000 }).catch(() => undefined);
  return found;
}

const outOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[document.documentElement, ...document.querySelectorAll('main, main [role=region], [role=dialog] > div')]
    .filter((one) => one.scrollWidth > one.clientWidth && (innerWidth < 768 || !one.querySelector('table')))
    .map((one) => one.tagName + ' ' + (one.getAttribute('aria-label') ?? ''))`);

/** Texts in which letters are turned around without a mark that can be read: what is seen, and what a screen reader says. */
const turnedAround = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const seen = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = document.title.match(/[\\u202d\\u202e]/) ? ['title'] : [];
    while (seen.nextNode()) {
      const { data, parentElement } = seen.currentNode;
      if (/[\\u202d\\u202e]/.test(data)) found.push(parentElement.outerHTML.slice(0, 300));
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      const said = ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '').join();
      if (/[\\u202d\\u202e]/.test(said)) found.push(one.tagName + ' ' + said.slice(0, 100));
    }
    return [...new Set(found)];
  })()`);

/** Elements that no view has: stored text became markup. */
const strangeElements = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('#root :is(b, u, i, img:not([class]), iframe, script), [onerror]')].map((one) => one.outerHTML)`,
  );

inBrowser('every view', (desk) => {
  let beside: Beside;

  beforeAll(async () => {
    const client = desk().api('everyone');
    await client.expect(201, '/projects', { description: WRITTEN.join(' ').slice(0, 9_000) });
    const stored = await client.expect(200, '/memories', {
      messages: WRITTEN.map((content, index) => ({
        content,
        producer: index % 2 === 0 ? 'mira' : NAME,
        produced_for: MARKUP,
        metadata: { user_id: index % 2 === 0 ? 'mira' : NAME, session_id: MARKUP, [MARKUP]: NAME },
      })),
    });
    await client.expect(204, '/memory/semantic/config', {
      trusted_producers: [NAME, ...WRITTEN.map((text) => text.slice(0, 900))],
    });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    let feature = '';
    for (const value of WRITTEN) {
      const named = {
        category_name: 'profile',
        tag: `<b>${value.slice(0, 60)}`,
        feature: `<b>${OVERRIDE}${value.slice(0, 80)}`,
      };
      const added = await client.expect(201, '/memories/semantic/feature', {
        set_id,
        ...named,
        value,
        subject: NAME,
      });
      feature = String(added['feature_id']);
    }
    await client.expect(201, '/keys', { name: `<b>key</b> ${OVERRIDE}${'K'.repeat(80)}`, scopes: ['read'] });
    const webhook = await client.expect(201, '/webhooks', { url: `http://127.0.0.1:1/${'long'.repeat(40)}` });
    const [{ uid } = { uid: '' }] = stored['results'] as { uid: string }[];
    beside = { uid, feature, webhook: String(webhook['id']) };
  });

  test(
    'can be used by everybody, fits its width, and shows what strangers wrote as text',
    async () => {
      const page = await desk().open('/nowhere');
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      const views = [
        ...Object.entries(VIEWS).map(([view, { heading }]) => [view, heading] as const),
        ...Object.entries(besides(beside)),
      ];
      const wrong: object[] = [];
      for (const [view, heading] of views) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await follow(page, desk().at(addressOf(view, 'everyone')), heading);
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 844 });
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme });
            // everything in each theme and at each width; colours in all four
            const isWhole = (width === 1280) === (colorScheme === 'light');
            const found = await hindrances(page, isWhole ? undefined : ['color-contrast']);
            if (found.length > 0) wrong.push({ view, width, colorScheme, found });
          }
          const out = await sticksOut(page);
          if (out.length > 0) wrong.push({ view, width, out });
        }
        await page.setViewportSize({ width: NARROWEST, height: 844 });
        const out = await sticksOut(page);
        if (out.length > 0) wrong.push({ view, width: NARROWEST, out });
        const strange = await strangeElements(page);
        if (strange.length > 0) wrong.push({ view, strange });
        const turned = await turnedAround(page);
        if (turned.length > 0) wrong.push({ view, turned });
      }
      expect(wrong).toEqual([]);
      expect(dialogs).toEqual([]);
    },
    WALK_MS,
  );
});
