import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import { parse } from './harness/client.js';

/** `EX_CONFIG` of sysexits(3): a supervisor need not try again. */
const SETTINGS = 78;

/** Of the whole product, on a machine that has other things to do. */
const START_MS = 360_000;

/** Runs a program of an app until it ends, with nothing in its environment but this. */
async function run(
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; errors: string }> {
  const main = join(process.cwd(), 'apps', program);
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, errors };
}

test.each([
  ['gateway/dist/api.main.js', /^process could not start: Wrong environment: NATS_URL must be a string\.\n$/],
  ['config-service/dist/api.main.js', /^process could not start: Wrong environment: .*DATABASE_URL.*\.\n$/],
  [
    'episodic-service/dist/worker.main.js',
    /^process could not start: Wrong environment: .*DATABASE_URL.*\.\n$/,
  ],
  [
    'semantic-service/dist/migrate.main.js',
    /^process failed: Wrong environment: DATABASE_URL must be a string\.\n$/,
  ],
])('%s without its settings says in one sentence what is missing', async (program, sentence) => {
  const { code, errors } = await run(program, {});
  expect(errors).toMatch(sentence);
  expect(code).toBe(SETTINGS);
});

test('other settings that are refused have the same exit code', async () => {
  const needs = { DATABASE_URL: 'postgres://127.0.0.1:1/x', NATS_URL: 'nats://127.0.0.1:1' };
  const refused = await Promise.all([
    run('gateway/dist/api.main.js', { ...needs, PORT: 'none' }),
    run('semantic-service/dist/worker.main.js', { ...needs, QUOTA_SETS: 'many' }),
  ]);
  expect(refused.map(({ code }) => code)).toEqual([SETTINGS, SETTINGS]);
});

test('a token that can be guessed ends the start, which does not repeat it', async () => {
  const token = 'a-token-of-ours';
  const refused = Loci.start({ env: { AUTH: 'on', HOSTED_TOKENS: `${token}=globex` } });
  const said = await refused.then(
    () => 'it started',
    (error: unknown) => String(error),
  );
  expect(said).toMatch(
    /Loci did not start\. gateway ended while starting \(exit code 78\)[^]*HOSTED_TOKENS: the token of entry 1 can be guessed; it needs at least 22 /,
  );
  expect(said).not.toContain(token);
});

test('a process that is killed before it was ever ready is started again, and the start goes on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-e2e-'));
  const started = Loci.start({ dataDir });
  const killed = new Set<string>();
  const killOnce = async (name: string): Promise<void> => {
    const text = await readFile(join(dataDir, 'run/processes.json'), 'utf8').catch(() => '{}');
    const found = (parse(text) as Partial<Record<string, { pid: number; state: string }>>)[name];
    if (found?.state !== 'starting' || killed.has(name)) return;
    process.kill(found.pid, 'SIGKILL');
    killed.add(name);
  };
  try {
    await eventually(
      async () => {
        await killOnce('config-service');
        await killOnce('gateway');
        return killed.size === 2;
      },
      { what: 'both were killed while they started', timeoutMs: START_MS },
    );
    const loci = await started;
    expect((await fetch(`${loci.url}/api/v2/health`)).status).toBe(200);
    for (const name of killed) expect(loci.printed).toMatch(new RegExp(`${name} did not start, next try`));
  } finally {
    await (await started).destroy();
  }
});

test('a gateway that finds no NATS says in one sentence where it looked', async () => {
  const { code, errors } = await run('gateway/dist/api.main.js', { NATS_URL: 'nats://127.0.0.1:1' });
  expect(errors).toMatch(/^process could not start: NATS does not answer at nats:\/\/127\.0\.0\.1:1 .*\.\n$/);
  expect(code).toBe(1);
});

test('a start that fails leaves the data folder that it was given', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-e2e-'));
  const kept = join(dataDir, 'kept');
  await writeFile(kept, 'data of an earlier run');
  const started = Loci.start({ dataDir, env: { LOCI_LOG_LEVEL: 'loud' } });
  await expect(started).rejects.toThrow(/Loci did not start\. LOCI_LOG_LEVEL must be one of/);
  expect(await readFile(kept, 'utf8')).toBe('data of an earlier run');
  await rm(dataDir, { recursive: true });
});
