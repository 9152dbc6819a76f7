import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { type Page } from 'playwright-core';
import { follow, hindrances, inBrowser } from './console.js';

const MESSAGES = 600;
const TEXTS = Array.from({ length: MESSAGES }, (_, index) => `note ${index} about subject ${index % 7}`);

const rowOf = (page: Page) => page.getByRole('row').filter({ hasText: 'mover' });

const doneOf = async (page: Page): Promise<number> =>
  Number(
    await rowOf(page).getByRole('progressbar', { name: 'Move of episodes' }).getAttribute('aria-valuenow'),
  );

/** The projects of all other tests are moved, too, on a machine that tests something else meanwhile. */
const PATIENCE = { timeout: 120_000 };

/**
 * So slow that the page, which looks five times a second, sees more than one step of the way, on a busy machine too. Only
 * what this test stored: the projects of all other tests move first, at full speed.
 */
const SLOW = { path: 'embeddings', text: 'about subject', delayMs: 3_000, times: 10_000 };

// the last of all: it moves every project of the product
inBrowser('another embedder', (desk) => {
  test('is chosen in the page, which shows how far the move is until it is complete', async () => {
    const { open, api, models, register, at } = desk();
    await api('mover').add(TEXTS);
    const config = { model: 'second', api_key: 'a-good-key', base_url: models.openAiUrl, dimensions: 64 };
    await register('embedders', { name: 'second', provider: 'openai', config });
    const page = await open('/projects', { isImpatient: true });
    await rowOf(page).getByText('ready').waitFor(PATIENCE);
    models.fail(SLOW);
    await follow(page, at('/memory'), 'Memory');
    await page.getByLabel('Embedder', { exact: true }).selectOption('second');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('link', { name: 'how far they are' }).click();
    await rowOf(page)
      .getByText(/^moving \d+ %$/)
      .waitFor();
    await rowOf(page).getByText('→ second').waitFor();
    let seen = await doneOf(page);
    for (const step of ['it has begun', 'it goes on']) {
      const before = seen;
      await eventually(async () => (seen = await doneOf(page)) > before, {
        what: step,
        timeoutMs: PATIENCE.timeout,
      });
    }
    expect(seen).toBeLessThan(MESSAGES);
    expect(await hindrances(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await hindrances(page)).toEqual([]);
    models.reset();
    await rowOf(page).getByText('ready').waitFor(PATIENCE);
    await rowOf(page).getByText('second', { exact: true }).waitFor();
    await rowOf(page).getByRole('progressbar').first().waitFor({ state: 'detached' });
  });

  test('that is down: the page says so, and goes on by itself when it is back', async () => {
    const { open, api, models, configure, register } = desk();
    await api('mover').add(TEXTS.slice(0, 1));
    const config = { model: 'third', api_key: 'a-good-key', base_url: models.openAiUrl, dimensions: 32 };
    await register('embedders', { name: 'third', provider: 'openai', config });
    models.fail({ path: 'embeddings', status: 503, times: 10_000 });
    await configure('/memory/episodic/long_term', { embedder: 'third' });
    const page = await open('/projects', { isImpatient: true });
    await rowOf(page).getByText('→ third').waitFor(PATIENCE);
    await rowOf(page)
      .getByText(/third.*(503|answer|fail)/i)
      .waitFor(PATIENCE);
    models.reset();
    await rowOf(page).getByText('third', { exact: true }).waitFor(PATIENCE);
    await rowOf(page).getByText('ready').waitFor(PATIENCE);
  });
});
