// Assembles the tree of every image, starts every process from it on real servers,
// stores and finds a memory through them, opens the page of the API and the console, and tells the sizes. Usage: npm run image:check
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stdout } from 'node:process';
import 'reflect-metadata';
import { PROCESS_TABLE } from '../../apps/standalone/dist/process-table.js';
import { Fleet } from '../../libs/testing/dist/index.js';
import { assembleTree } from './tree.mjs';

const folder = await mkdtemp(join(tmpdir(), 'loci-images-'));
await chmod(folder, 0o755);
let fleet;
try {
  for (const app of appsOf(PROCESS_TABLE)) {
    const bytes = await assembleTree(app, join(folder, app));
    stdout.write(`${app}: ${Math.round(bytes / 1e6)} MB beside Node\n`);
  }
  fleet = await Fleet.start({
    table: PROCESS_TABLE,
    replicas: () => 1,
    mainOf: (main) => join(folder, appOf(main), 'apps', main),
  });
  await tryOut(fleet);
  stdout.write(`started from their trees, and ready: ${fleet.names.join(', ')}\n`);
} finally {
  await fleet?.destroy();
  await rm(folder, { recursive: true, force: true });
}

function appsOf({ services }) {
  return new Set(services.map(({ main }) => appOf(main)));
}

function appOf(main) {
  return main.split('/')[0];
}

async function tryOut({ url }) {
  const project = { org_id: 'image', project_id: 'check' };
  await post(`${url}/api/v2/memories`, { ...project, messages: [{ content: 'Ada prefers tea.' }] });
  const query = 'Which drink does she like?';
  const found = await post(`${url}/api/v2/memories/search`, { ...project, query });
  if (!(await found.text()).includes('prefers tea')) throw new Error('What was stored was not found.');
  const missed = found.headers.get('x-degraded');
  if (missed) throw new Error(`What was stored was found without all that should find it: ${missed}.`);
  for (const asset of ['', '/swagger-ui.css', '/swagger-ui-bundle.js']) await ask(`${url}/docs${asset}`);
  const page = await (await ask(`${url}/console`)).text();
  for (const [asset] of page.matchAll(/\/console\/assets\/[^"]+/g)) await ask(url + asset);
}

function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  return ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function ask(url, request) {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
