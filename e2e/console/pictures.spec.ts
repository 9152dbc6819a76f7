import { beforeAll, expect, test } from '@jest/globals';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { type components } from '@loci/client';
import { eventually } from '@loci/testing';
import { haveVectors, inBrowser } from './console.js';

/** Pictures as they should be; READMEs show some of them. `UPDATE_PICTURES=1` makes them again. */
const FOLDER = join(process.cwd(), 'apps/console/docs');
const FONTS = join(FOLDER, 'fonts.json');

const VIEWS = {
  episodes: ['/p/pictures/main/episodes', 'Booked, with a vegetarian meal.'],
  features: ['/p/pictures/main/features', 'window'],
  search: [
    '/p/pictures/main/search?q=Where%20does%20Alice%20like%20to%20sit%3F&a=%7B%22top_k%22%3A4%7D',
    'I always take a window seat',
  ],
  move: ['/projects', 'moving 61 %'],
} as const;

const WIDTHS = [1280, 390];
const THEMES = ['light', 'dark'] as const;

const SAID = [
  ['alice', 'I want to see Lisbon in May. I always take a window seat, and I never fly at night.'],
  ['travel-agent', 'There is a direct flight at 10:40. Shall I book 14A, by the window?'],
  ['alice', 'Yes, please. And I am vegetarian.'],
  ['travel-agent', 'Booked, with a vegetarian meal.'],
] as const;

const NOW = new Date('2026-05-02T09:00:00Z');

/** Where fonts differ, lines of text are of other lengths: then only the layout is compared. */
const SAME_FONTS = { cell: 1, apart: 40, share: 0.01 };
const OTHER_FONTS = { cell: 40, apart: 40, share: 0.1 };

const SPACE = { fingerprint: 'e3b0c44298fc1c14', dimensions: 384 };

const space = (embedder: string, indexed: number) => ({ embedder, indexed, ...SPACE });

/** How far each of three projects is on its way to another embedder: a move is never twice at the same point. */
const MOVES: Readonly<Record<string, components['schemas']['ProjectIndex']>> = {
  'travel-agent': {
    state: 'moving',
    embedder: 'openai-large',
    episodes: 12_400,
    active: space('local', 12_400),
    target: space('openai-large', 7_570),
    problem: null,
    unsupported_languages: [],
    features: {
      state: 'moving',
      embedder: 'openai-large',
      features: 840,
      active: [{ ...space('local', 840), sets: 31 }],
      target: [{ ...space('openai-large', 205), sets: 9 }],
      problem: null,
    },
  },
  support: {
    state: 'moving',
    embedder: 'openai-large',
    episodes: 980,
    active: space('local', 980),
    target: space('openai-large', 120),
    problem: "The embedder 'openai-large' does not answer (HTTP 503); it is tried again.",
    unsupported_languages: [],
    features: {
      state: 'ready',
      embedder: 'openai-large',
      features: 0,
      active: [],
      target: [],
      problem: null,
    },
  },
  research: {
    state: 'ready',
    embedder: 'openai-large',
    episodes: 86,
    active: space('openai-large', 86),
    target: null,
    problem: null,
    unsupported_languages: [],
    features: {
      state: 'ready',
      embedder: 'openai-large',
      features: 0,
      active: [],
      target: [],
      problem: null,
    },
  },
};

/** What a project on its way is asked, answered the same each time. */
async function answerMoves(page: Page): Promise<void> {
  const names = Object.keys(MOVES);
  await page.route('**/api/v2/projects/list', (route) =>
    route.fulfill({ json: names.map((project_id) => ({ org_id: 'acme', project_id })) }),
  );
  await page.route('**/api/v2/projects/index?**', (route) =>
    route.fulfill({ json: MOVES[new URL(route.request().url()).searchParams.get('project_id') ?? ''] ?? {} }),
  );
  await page.route('**/api/v2/projects/episode_count/get', (route) => {
    const { project_id } = route.request().postDataJSON() as { readonly project_id: string };
    const { episodes } = (MOVES[project_id] ?? {}) as { readonly episodes?: number };
    return route.fulfill({ json: { count: episodes ?? 0 } });
  });
}

inBrowser('pictures', (desk) => {
  beforeAll(async () => {
    const client = desk().api('pictures');
    const messages = SAID.map(([producer, content], index) => ({
      content,
      producer,
      timestamp: `2026-05-01T08:0${index}:00Z`,
      metadata: { user_id: 'alice', session_id: 'lisbon' },
    }));
    await client.expect(200, '/memories', { messages });
    const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    for (const [feature, value] of [
      ['seat', 'window'],
      ['diet', 'vegetarian'],
    ]) {
      const body = { set_id, category_name: 'profile', tag: 'travel', subject: 'alice', feature, value };
      await client.expect(201, '/memories/semantic/feature', body);
    }
    await haveVectors(client);
  });

  test('are as they should be, at both widths and in both themes', async () => {
    const { open, at } = desk();
    const page = await open('/nowhere', { bypassCSP: true, reducedMotion: 'reduce', timezoneId: 'UTC' });
    await page.clock.setFixedTime(NOW);
    // when the session ends depends on the day
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as object;
      await route.fulfill({ response, json: { ...session, expires_at: null } });
    });
    await page.reload();
    const isUpdate = process.env['UPDATE_PICTURES'] === '1';
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    const fonts = await widths(page);
    if (isUpdate) {
      await mkdir(FOLDER, { recursive: true });
      await writeFile(FONTS, `[${fonts.join(', ')}]\n`);
    }
    const areSame = `[${fonts.join(', ')}]` === (await readFile(FONTS, 'utf8')).trim();
    const bounds = areSame ? SAME_FONTS : OTHER_FONTS;
    const other: object[] = [];
    for (const [name, [view, said]] of Object.entries(VIEWS)) {
      if (name === 'move') await answerMoves(page);
      await page.goto(at(view));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await page.getByText(said).filter({ visible: true }).first().waitFor();
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          const file = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
          if (isUpdate) await writeFile(file, await picture(page));
          const wanted = await readFile(file);
          let share = 1;
          // what else the view asks for comes when it comes
          const isAsItShould = async (): Promise<boolean> => {
            share = await difference(page, await picture(page), wanted, bounds);
            return share <= bounds.share;
          };
          const what = 'the picture is as it should be';
          await eventually(isAsItShould, { what }).catch(() => other.push({ file, share }));
        }
      }
    }
    expect(other).toEqual([]);
  });
});

/** What differs from run to run: the time that an answer took. */
const STEADY = '[data-varies] { visibility: hidden } ::-webkit-scrollbar { display: none }';

const picture = (page: Page): Promise<Buffer> =>
  page.screenshot({ style: STEADY, animations: 'disabled', caret: 'hide' });

/** Of texts in the fonts of the page: they tell one set of fonts from another. */
const widths = (page: Page): Promise<number[]> =>
  page.evaluate(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(document.documentElement);
    return ['--font-sans', '--font-mono'].map((name) => {
      context.font = '20px ' + (style.getPropertyValue(name) || 'sans-serif');
      return Math.round(context.measureText('Where does Alice like to sit? 0123').width);
    });
  })()`);

/** Which share of two pictures, in cells of so many pixels, is further apart than so much of 255. */
const difference = (
  page: Page,
  taken: Buffer,
  wanted: Buffer,
  { cell, apart }: typeof SAME_FONTS,
): Promise<number> =>
  page.evaluate(`(async () => {
    const read = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const [width, height] = [bitmap.width, bitmap.height].map((size) => Math.ceil(size / ${cell}));
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(bitmap, 0, 0, width, height);
      return context.getImageData(0, 0, width, height);
    };
    const [a, b] = await Promise.all([read('${taken.toString('base64')}'), read('${wanted.toString('base64')}')]);
    if (a.width !== b.width || a.height !== b.height) return 1;
    let count = 0;
    for (let at = 0; at < a.data.length; at += 4) {
      const far = [0, 1, 2].some((one) => Math.abs(a.data[at + one] - b.data[at + one]) > ${apart});
      if (far) count += 1;
    }
    return count / (a.width * a.height);
  })()`);
