import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { isDeepStrictEqual } from 'node:util';
import { type Locator, type Page } from 'playwright-core';
import { inBrowser } from './console.js';
import { hasFocus, take } from './keyboard.js';
import { press } from './forms.js';

interface Asked {
  readonly page_num?: number;
  readonly page_size: number;
}

const refusal = (status: number) => ({
  status,
  contentType: 'application/problem+json',
  json: { status, code: 'broken', title: 'Broken', detail: 'It is broken.', type: 'about:blank' },
});

/** Answers as if there were so many messages. @returns counts the questions for messages: for their number it asks by the clock */
async function pretend(page: Page, total: number, refuses: (asked: Asked) => boolean = () => false) {
  const counted = { asked: 0 };
  await page.route('**/api/v2/memories/list', async (route) => {
    const body = route.request().postDataJSON() as Asked;
    const { page_num: number = 0, page_size: size } = body;
    if (size > 0) counted.asked += 1;
    if (refuses(body)) {
      await route.fulfill(refusal(409));
      return;
    }
    const episodes = Array.from({ length: size }, (_, index) => ({
      uid: `u${number * size + index}`,
      content: `Message ${number * size + index}. ${'It is long. '.repeat((index * 7) % 40)}`,
      created_at: '2026-05-01T08:00:00.000Z',
      producer_id: index % 2 === 0 ? 'mira' : 'agent',
      producer_role: index % 2 === 0 ? 'user' : 'assistant',
      produced_for_id: '',
      metadata: {},
    }));
    await route.fulfill({
      headers: { 'x-total-count': String(total) },
      json: { status: 0, content: { episodic_memory: episodes } },
    });
  });
  return counted;
}

const LIST = 'Messages, oldest first';

const listOf = (page: Page): Locator => page.getByRole('region', { name: LIST });

/** Presses Home until a text is there: a list that is still on its way to its end goes on there. */
async function goToBeginning(page: Page, text: string): Promise<void> {
  await listOf(page).focus();
  const shown = page.getByText(text);
  await eventually(
    async () => {
      if ((await shown.count()) > 0) return true;
      await page.keyboard.press('Home');
      return false;
    },
    { what: `the list is at its beginning: ${text}` },
  );
}

/** The number of the first message in sight. */
const firstOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const list = document.querySelector('[aria-label="${LIST}"]');
    const { top } = list.getBoundingClientRect();
    const row = [...list.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > top + 1);
    return Number(/Message (\\d+)/.exec(row?.innerText ?? '')?.[1] ?? NaN);
  })()`);

inBrowser('a long list', (desk) => {
  /** A conversation of so many messages. */
  async function conversationOf(total: number, refuses?: (asked: Asked) => boolean) {
    const { open, api, at } = desk();
    await api('long').add(['One.']);
    const page = await open('/nowhere');
    const counted = await pretend(page, total, refuses);
    await page.goto(at('/p/long/main/episodes'));
    await page.getByText(`Message ${total - 1}.`).waitFor();
    return { page, counted };
  }

  test('a hundred thousand messages scroll, and only those in sight are asked for and drawn', async () => {
    const { page, counted } = await conversationOf(100_000);
    const list = listOf(page);
    // by the clock, not by frames, which a browser of a busy machine may not draw
    const isDrawn = `(() => {
      const list = document.querySelector('[aria-label="${LIST}"]');
      const sight = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll('article')].map((row) => row.getBoundingClientRect());
      return Math.min(...rows.map(({ top }) => top)) <= sight.top + 50
        && Math.max(...rows.map(({ bottom }) => bottom)) >= sight.bottom - 50;
    })()`;
    for (let step = 0; step < 30; step += 1) {
      await page.evaluate(`document.querySelector('[aria-label="${LIST}"]').scrollTop -= 400`);
      await eventually(() => page.evaluate<boolean>(isDrawn), { what: 'what is in sight is drawn' });
    }
    await page.evaluate(`(() => {
      const list = document.querySelector('[aria-label="${LIST}"]');
      list.scrollTop = list.scrollHeight / 2;
    })()`);
    await page
      .getByText(/^Message [45]\d{4}\./)
      .first()
      .waitFor();
    expect(await list.getByRole('article').count()).toBeLessThan(60);
    await goToBeginning(page, 'Message 0.');
    expect(counted.asked).toBeLessThan(40);
  });

  test('keys go on scrolling when the row that had the focus is out of sight', async () => {
    const { page } = await conversationOf(2_000);
    const list = listOf(page);
    await take(page, press('Message of mira: details'));
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(page, 'Message of mira: details');
    const turned = async (): Promise<boolean> => {
      await page.keyboard.press('PageUp');
      return (await firstOf(page)) < 1_900;
    };
    await eventually(turned, { what: 'a hundred messages are scrolled by' });
    const isInList = `document.activeElement.closest('[aria-label="${LIST}"]') !== null`;
    await eventually(() => page.evaluate<boolean>(isInList), { what: 'the list has the focus' });
    expect(await list.getByRole('article').count()).toBeLessThan(60);
  });

  test('of a million messages the newest and the oldest are reached, a part at a time', async () => {
    const { page } = await conversationOf(1_000_000);
    await page.getByText('900,001 to 1,000,000 of 1,000,000').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Message 899999.').waitFor();
    await goToBeginning(page, 'Message 800000.');
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('Message 900000.').waitFor();
    expect(await page.getByRole('button', { name: 'Newer' }).isDisabled()).toBe(true);
  });

  test('what is refused while one scrolls takes nothing away, and is asked for again in one go', async () => {
    let isBroken = true;
    const isOld = ({ page_num: number = 0, page_size: size }: Asked): boolean => size > 0 && number < 10;
    const { page } = await conversationOf(2_000, (asked) => isBroken && isOld(asked));
    await goToBeginning(page, 'It is broken.');
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Message 0.').waitFor();
    await page.getByText('It is broken.').waitFor({ state: 'detached' });
  });

  let adding: Promise<void> | undefined;

  /** A project with two pages of features, made by the first test that asks. */
  const haveFeatures = (): Promise<void> => (adding ??= addFeatures());

  async function addFeatures(): Promise<void> {
    const client = desk().api('features');
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const add = (n: number): Promise<unknown> => {
      const feature = {
        category_name: 'profile',
        tag: n % 2 === 0 ? 'even' : 'odd',
        feature: `name ${n}`,
        value: `Value ${n}.`,
      };
      return client.expect(201, '/memories/semantic/feature', { set_id, ...feature });
    };
    for (let n = 0; n < 220; n += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => add(n + index)));
  }

  test('features that come later move nothing of what one reads, and are counted as they come', async () => {
    const { open } = desk();
    await haveFeatures();
    const page = await open('/nowhere');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v2/memories/list', async (route) => {
      const { cursor } = route.request().postDataJSON() as { readonly cursor?: string };
      if (cursor) await released;
      await route.continue();
    });
    await page.goto(desk().at('/p/features/main/features'));
    await page.getByText('The figures below are of the first 200.', { exact: false }).waitFor();
    const list = page.getByRole('region', { name: 'Features' });
    await list.focus();
    await page.keyboard.press('End');
    // the first row in sight, and how far it is from the edge
    const sight = `(() => {
      const list = document.querySelector('[role=region][aria-label=Features]');
      const { top } = list.getBoundingClientRect();
      const row = [...list.querySelectorAll('[data-index]')].find((one) => one.getBoundingClientRect().bottom > top + 1);
      return [row.innerText.split('\\n')[0], Math.round(row.getBoundingClientRect().top - top)];
    })()`;
    await page
      .getByText(/^name 19\d$/)
      .last()
      .waitFor();
    // rows are measured as they are drawn, which moves those behind them, and the end
    const isAtEnd = `(() => {
      const list = document.querySelector('[role=region][aria-label=Features]');
      return list.scrollHeight - list.scrollTop - list.clientHeight < 2;
    })()`;
    let before: [string, number] = ['', 0];
    const isAtRest = async (): Promise<boolean> => {
      if (!(await page.evaluate<boolean>(isAtEnd))) await page.keyboard.press('End');
      const known = before;
      before = await page.evaluate<[string, number]>(sight);
      return (await page.evaluate<boolean>(isAtEnd)) && isDeepStrictEqual(before, known);
    };
    await eventually(isAtRest, { what: 'the list is at rest' });
    release();
    await page
      .getByText('The figures below are of the first', { exact: false })
      .waitFor({ state: 'detached' });
    await eventually(
      async () => {
        const [name, offset] = await page.evaluate<[string, number]>(sight);
        return name === before[0] && Math.abs(offset - before[1]) < 4;
      },
      { what: `${before[0]} is where it was` },
    );
  });

  test('features that are refused take nothing away, and are asked for again at the end of the list', async () => {
    await haveFeatures();
    const page = await desk().open('/nowhere');
    const more = page.getByText('The figures below are of the first 200.', { exact: false });
    for (const failure of [429, 500, 'offline'] as const) {
      let isBroken = true;
      await page.unrouteAll();
      await page.route('**/api/v2/memories/list', async (route) => {
        const { cursor } = route.request().postDataJSON() as { readonly cursor?: string };
        if (!cursor || !isBroken) await route.continue();
        else if (failure === 'offline') await route.abort();
        else await route.fulfill(refusal(failure));
      });
      await page.goto(desk().at('/p/features/main/features'));
      await more.waitFor();
      const list = page.getByRole('region', { name: 'Features' });
      await list.focus();
      await page.keyboard.press('End');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      expect(await list.getByRole('button').count()).toBeGreaterThan(0);
      isBroken = false;
      // what had no answer is asked for again by itself, too, which takes the button away
      await Promise.race([again.click(), more.waitFor({ state: 'detached' })]);
      await more.waitFor({ state: 'detached' });
      await again.waitFor({ state: 'detached' });
    }
  });
});
