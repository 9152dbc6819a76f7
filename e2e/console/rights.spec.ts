import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Page } from 'playwright-core';
import { type Key, SIGHTS } from './actions.js';
import { type Client } from '../harness/client.js';
import { type Desk, follow, inBrowser } from './console.js';
import { addressOf, VIEWS } from './views.js';

const ORG = 'rights';

const ofProject = { org_id: ORG, project_id: 'main' };
const ofOrganization = { org_id: ORG, project_id: null };

const KEYS: Readonly<Record<string, Key>> = {
  'a reader of the organization': { ...ofOrganization, scopes: ['read'] },
  'a writer of the project': { ...ofProject, scopes: ['read', 'write'] },
  'a writer of the project who does not read': { ...ofProject, scopes: ['write'] },
  'an administrator of the project': { ...ofProject, scopes: ['admin'] },
  'an administrator of the organization': { ...ofOrganization, scopes: ['admin'] },
  'an administrator who speaks for jon': { ...ofOrganization, scopes: ['admin'], producer: 'jon' },
  'an administrator of the deployment': { org_id: null, project_id: null, scopes: ['admin'] },
};

/** Buttons that change nothing. */
const HARMLESS = [
  /^(Close|Apply|Open|Refresh|Copy|Search|Recall|As code|Compare two settings|Remove the filter|Export( the project)?|Use the stand-in)$/,
  /^(curl|TypeScript|Python|MCP|Try again later)$/,
  /: details$/,
  /^(category|tag) /,
  /(protected|trusted)/,
  /(^now$| ago$|^http:|^Older records$)/,
];

/** Rows of docs/access.md: who may do what, which another test compares with what the product does. */
async function readAccess(): Promise<ReadonlyMap<string, readonly [scope: string, level: string]>> {
  const rows = (await readFile('docs/access.md', 'utf8')).matchAll(
    /^\| `(?<name>[^`]+)` +\| (?<scope>[^|]+?) +\| (?<level>[^|]+?) +\|/gm,
  );
  return new Map(
    [...rows].map(({ groups = {} }) => [
      groups['name'] ?? '',
      [groups['scope'] ?? '', groups['level'] ?? ''],
    ]),
  );
}

function mayBy(access: ReadonlyMap<string, readonly [string, string]>, key: Key) {
  return (operation: string): boolean => {
    if (operation === '') return true;
    const [scope, level] = access.get(operation) ?? [];
    if (scope === undefined) throw new Error(`docs/access.md has no ${operation}.`);
    const hasScope =
      key.scopes.includes('admin') || scope.split(' and ').every((one) => key.scopes.includes(one));
    if (level === 'deployment') return hasScope && key.org_id === null;
    return hasScope && !(level === 'organization' && key.project_id !== null);
  };
}

const namesIn = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('main button, [role=dialog] button')]
      .filter((one) => !one.closest('th') && one.checkVisibility())
      .map((one) => (one.getAttribute('aria-label') ?? one.innerText).replace(/\\s+/g, ' ').trim())`,
  );

/** Of every kind: their names are buttons. */
async function modelsOf({ loci, key }: Desk): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${key}` };
  const listed = await (await fetch(`${loci.url}/api/v2/config/resources`, { headers })).json();
  const all = Object.values(listed as Record<string, readonly { readonly name: string }[]>).flat();
  return new Set(all.map(({ name }) => name));
}

/** The same word for each row that has it. */
const plain = (name: string): string =>
  name.replace(/^(Rotate|Revoke|Register:|This holds:|Forget|Trust) .*$/, '$1');

async function seed({ api, models, configure }: Desk): Promise<Readonly<Record<string, string>>> {
  const client = api(ORG);
  const metadata = { user_id: 'mira', session_id: 'lisbon' };
  const [uid = ''] = await client.add(['Tea, please.'], { producer: 'mira', metadata });
  const { set_id } = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
  const add = async (feature: object): Promise<string> => {
    const body = { set_id, category_name: 'profile', tag: 'travel', subject: 'mira', ...feature };
    return String((await client.expect(201, '/memories/semantic/feature', body))['feature_id']);
  };
  const feature = await add({ feature: 'seat', value: 'window' });
  for (const value of ['Linz', 'Graz']) await add({ feature: 'town', value, single_valued: true });
  await add({ feature: 'airline', value: 'TAP', subject: undefined });
  const made = await client.expect(201, '/webhooks', { url: 'http://127.0.0.1:1/x', ...ofProject });
  await client.expect(204, '/memory/semantic/config', { trusted_producers: ['mira', 'jon'] });
  await client.expect(201, '/keys', { name: 'another', scopes: ['read'], ...ofProject });
  const config = { base_url: models.openAiUrl, api_key: 'key', model: 'gpt' };
  const model = { name: 'stutters', provider: 'openai-chat-completions', config };
  await client.post('/config/resources/language_models', model);
  const update = { command: 'update', tag: 'travel', feature: 'airline', value: 'SAS', messages: [1] };
  models.reset();
  models.reply(/./, { commands: [update] });
  await configure('/memory/semantic', { llm_model: 'stutters', ingestion_trigger_messages: 1 });
  await client.add(['I fly with SAS now.'], { producer: 'mira' });
  await eventually(async () => (await proposals(client)).length > 0, { what: 'there is a proposal' });
  models.reset();
  models.reply(/./, 'certainly!');
  for (const count of [1, 2]) {
    await client.add([`This cannot be learned ${count}.`], { producer: 'mira' });
    // a call that was under way when the reply changed is given up, too
    await eventually(async () => (await letters(client)).length >= count, { what: 'it is given up' });
  }
  await configure('/memory/semantic', { llm_model: '', ingestion_trigger_messages: 1_000 });
  models.reset();
  return { uid, feature, webhook: String(made['id']) };
}

const proposals = async (client: Client): Promise<readonly unknown[]> =>
  (await client.expect(200, '/memories/semantic/proposal/list', { page_size: 10 }))['proposals'] as unknown[];

const letters = async (client: Client): Promise<readonly unknown[]> =>
  (await client.ask('GET', '/ingestion/dead-letters')).body as unknown as unknown[];

inBrowser('what each key is offered', (desk) => {
  let ids: Readonly<Record<string, string>>;
  let models: ReadonlySet<string>;
  let access: Awaited<ReturnType<typeof readAccess>>;
  beforeAll(async () => {
    [ids, access, models] = [await seed(desk()), await readAccess(), await modelsOf(desk())];
  });

  /** What is offered once nothing is on its way. */
  async function offersOf(page: Page): Promise<string[]> {
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const names = (await namesIn(page)).filter(
      (one) => !models.has(one) && !HARMLESS.some((harmless) => harmless.test(one)),
    );
    const isClosed = (await page.getByText('Your key does not allow this').count()) > 0;
    return [...new Set([...names.map(plain), ...(isClosed ? ['(closed)'] : [])])].sort();
  }

  const headingOf = (view: string): string =>
    VIEWS[view]?.heading ??
    Object.entries(VIEWS).find(([one]) => one.replace(/\?.*/, '') === view.replace(/\?.*/, ''))?.[1]
      .heading ??
    '';

  /** A view that is closed does not say whom it is about. */
  const closedHeadingOf = (view: string): string =>
    /\/(users|sessions)\//.test(view) ? 'Users' : headingOf(view);

  const addressIn = (view: string): string =>
    addressOf(view, ORG).replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '');

  test.each(Object.entries(KEYS))(
    '%s: all that is allowed, and nothing that is refused',
    async (name, key) => {
      const { open, api, at } = desk();
      const { secret } = await api(ORG).expect(201, '/keys', { name, ...key });
      const may = mayBy(access, key);
      const page = await open('/nowhere', { as: String(secret) });
      const offered: Record<string, string[]> = {};
      const allowed: Record<string, string[]> = {};
      for (const [view, { reads, buttons }] of Object.entries(SIGHTS)) {
        const actions = Object.entries(buttons).filter(
          ([, { does, isNot }]) => may(does) && isNot?.(key) !== true,
        );
        const isOpen = may(reads);
        allowed[view] = isOpen ? actions.map(([button]) => button).sort() : ['(closed)'];
        await follow(page, at(addressIn(view)), isOpen ? headingOf(view) : closedHeadingOf(view));
        await eventually(
          async () => {
            offered[view] = await offersOf(page);
            return isDeepStrictEqual(offered[view], allowed[view]);
          },
          { what: view },
        ).catch(() => undefined);
      }
      expect(offered).toEqual(allowed);
    },
  );

  test('every view is walked', () => {
    const walked = new Set(Object.keys(SIGHTS).map((view) => view.replace(/\?.*/, '')));
    expect(Object.keys(VIEWS).filter((view) => !walked.has(view.replace(/\?.*/, '')))).toEqual([]);
  });
});
