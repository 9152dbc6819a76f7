import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { eventually, FakeModels, type Loci } from '@loci/testing';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../harness/browser.js';
import { Client, type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { sharedProduct } from '../harness/shared-product.js';

/** Patient enough for a machine that is busy with something else. */
const WAIT_MS = 60_000;

/** For all tests of this folder, each file in a project of its own. */
const product = sharedProduct({
  env: { AUTH: 'on', EGRESS_ALLOW_PRIVATE: 'true', INGESTION_RETRY_PAUSE_MS: '50' },
});

const AXE = createRequire(join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js');

let browser: Promise<Browser> | undefined;
let models: Promise<FakeModels> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  await (await models)?.close();
});

interface PageOptions extends BrowserContextOptions {
  /** The secret of who signs in; default the administrator, empty: no one. */
  readonly as?: string;
  /** The page asks again after a tenth of the pause that it makes for users. */
  readonly isImpatient?: boolean;
}

/** What a test needs: a page that an administrator has signed in on, and the API beside it. */
export interface Desk {
  readonly loci: Loci;
  readonly models: FakeModels;
  /** The secret of the administrator. */
  readonly key: string;
  /** Changes the configuration of the deployment. */
  readonly configure: (path: string, body: object) => Promise<void>;
  /** Registers a model, which must be ready, or in the status that is given. */
  readonly register: (
    kind: string,
    body: Json & { readonly name: string },
    status?: 'ready' | 'failed',
  ) => Promise<void>;
  /** The address of a view. */
  readonly at: (view: string) => string;
  readonly open: (view: string, options?: PageOptions) => Promise<Page>;
  readonly api: (org: string, project?: string) => Client;
  /** What pages have said on their consoles that are mistakes. */
  readonly complaints: string[];
}

/** The pauses after which views ask again; not that after which a message goes by itself. */
const PAUSES_MS = [1_000, 2_000, 3_000, 10_000];

/** Runs in a page before anything else there. */
const IMPATIENT = `for (const name of ['setTimeout', 'setInterval']) {
  const wait = globalThis[name];
  globalThis[name] = (call, ms, ...rest) => wait(call, ${JSON.stringify(PAUSES_MS)}.includes(ms) ? ms / 10 : ms, ...rest);
}`;

/** A title that says what is missing: the summary of the tests shows it. */
const skipped = (what: string, tests: () => void): void =>
  describe.skip('no Chromium was found', () => describe(what, tests));

const flows = chromiumPath === undefined ? skipped : describe;

/** Closes a page; what its routes still wait for fails in vain, not in the next test. */
async function close(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

/** Tests in a real browser; skipped where there is none, which the summary of the tests says. */
export function inBrowser(what: string, tests: (desk: () => Desk) => void): void {
  flows(what, () => {
    let desk: Desk;
    const opened: Page[] = [];
    beforeAll(async () => {
      desk = await setUp(opened);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(close));
      expect(desk.complaints.splice(0)).toEqual([]);
    });
    tests(() => desk);
  });
}

async function setUp(opened: Page[]): Promise<Desk> {
  browser ??= chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  models ??= FakeModels.start();
  const [loci, started, fake] = await Promise.all([product(), browser, models]);
  const key = (await readFile(join(loci.dataDir, 'admin-key'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${key}` };
  const complaints: string[] = [];
  const at = (view: string): string => `${loci.url}/console${view}`;
  const config = new ConfigClient(loci.url, headers);
  return {
    loci,
    models: fake,
    key,
    complaints,
    at,
    configure: async (path, body) => {
      expect((await config.put(path, body)).status).toBe(200);
    },
    register: async (kind, body, status = 'ready') => {
      const answer = await config.register(kind, body);
      expect(answer).toMatchObject({ status: 201, body: { status } });
    },
    api: (org, project = 'main') => new Client(loci.url, { org_id: org, project_id: project }, { headers }),
    open: async (view, { as = key, isImpatient = false, ...options } = {}) => {
      const context = await started.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(WAIT_MS);
      if (isImpatient) await context.addInitScript(IMPATIENT);
      if (as !== '') {
        const answer = await context.request.post(at('/session'), {
          headers: { authorization: `Bearer ${as}`, 'x-loci-session': '1' },
        });
        expect(answer.status()).toBe(200);
      }
      const page = await context.newPage();
      opened.push(page);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (said) => {
        // an answer that is no success is said there, too: tests look at what the page makes of it
        if (said.type() === 'error' && !said.text().startsWith('Failed to load resource')) {
          complaints.push(said.text());
        }
      });
      await page.goto(at(view));
      return page;
    },
  };
}

/**
 * Goes to a view as a link does, without loading the page again. It is there with its heading, or that of what stands
 * beside it: panels of the view before may be called the same.
 * @param address as `Desk.at` gives it
 */
export async function follow(page: Page, address: string, heading: string | RegExp): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page
    .locator('h1, [role=dialog] h2')
    .filter({ hasText: heading })
    .first()
    .waitFor({ state: 'attached' });
}

/** Waits until nothing in a project waits for its vector: a page searches once, and a busy machine takes a while. */
export async function haveVectors(client: Client): Promise<void> {
  const degraded = async (): Promise<string | null> => {
    const { status, headers } = await client.post('/memories/search', { query: 'anything' });
    return status === 200 ? headers.get('x-degraded') : `HTTP ${status}`;
  };
  await eventually(async () => (await degraded()) === null, { what: 'everything has its vector' });
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** @returns what hinders people with disabilities, by axe */
export async function hindrances(page: Page, rules: readonly string[] = RULES): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(`axe
    .run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], selectors: false })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + nodes[0].failureSummary))`);
}
