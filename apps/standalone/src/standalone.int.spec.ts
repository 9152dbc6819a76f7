import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '@loci/runtime';
import { IGNORES_SIGTERM, READY_LATE, writeStandInApps } from '../test/stand-in-apps.js';

const LAUNCH = fileURLToPath(new URL('../test/launch.mjs', import.meta.url));
const TIMEOUT_MS = 120_000;

interface Launcher {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly output: () => string;
  readonly errors: () => string;
}

/** Of all tests: the first start fills the data folder in it, the others find what the test before left there. */
let folder: string;
let port: number;
const launchers: Launcher[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standalone-'));
});

beforeEach(async () => {
  port = await freePort();
  await Promise.all([appsFolder(), journalFile()].map((path) => rm(path, { recursive: true, force: true })));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

afterEach(async () => {
  for (const { child, exited } of launchers.splice(0)) {
    child.kill('SIGKILL');
    await exited;
  }
  await eventually('nothing is left running', async () => (await processesOf(folder)).length === 0);
}, TIMEOUT_MS);

async function launch(env: Record<string, string> = {}, through: string[] = []): Promise<Launcher> {
  if (!existsSync(appsFolder())) await writeStandInApps(appsFolder());
  const command = [...through, process.execPath, '--conditions=@loci/source', LAUNCH, appsFolder()];
  const child = spawn('env', command, {
    env: {
      PATH: process.env['PATH'] ?? '',
      JOURNAL: journalFile(),
      LOCI_DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.errors += chunk.toString()));
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const launcher = { child, exited, output: () => text.output, errors: () => text.errors };
  launchers.push(launcher);
  return launcher;
}

/** @throws what it complained of, when it has ended */
const prints = ({ child, output, errors }: Launcher, text: string): Promise<void> =>
  eventually(`it prints ${text}`, () => {
    if (child.exitCode !== null) throw new Error(errors());
    return output().includes(text);
  });

async function launchUntilReady(...how: Parameters<typeof launch>): Promise<Launcher> {
  const launcher = await launch(...how);
  await prints(launcher, 'Ctrl-C stops everything');
  return launcher;
}

const appsFolder = (): string => join(folder, 'apps');
const journalFile = (): string => join(folder, 'journal');
const journal = (): string[] => readFileSync(journalFile(), 'utf8').trim().split('\n');

async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${TIMEOUT_MS} ms: ${what}`);
    await delay(20);
  }
}

/** Every process whose command line or working directory is below a folder. */
async function processesOf(path: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return command.includes(path) || cwd.startsWith(path);
    }),
  );
  return pids.filter((_, index) => matches[index]);
}

async function running(): Promise<Record<string, { pid: number; ports: { http: number } }>> {
  const text = await readFile(join(folder, 'data', 'run', 'processes.json'), 'utf8');
  return JSON.parse(text) as Record<string, { pid: number; ports: { http: number } }>;
}

async function envOf(service: string): Promise<Record<string, string>> {
  const { ports } = (await running())[service] ?? { ports: { http: 0 } };
  const answer = await fetch(`http://127.0.0.1:${ports.http}/env`, { headers: { connection: 'close' } });
  return (await answer.json()) as Record<string, string>;
}

test(
  'it migrates first, then starts every service with its own settings, and says what to do next',
  async () => {
    const { output } = await launchUntilReady({ LOCI_LOG_LEVEL: 'debug' });
    const [first, second, third, ...services] = journal();
    expect([first, second, third].sort()).toEqual([
      'config-migrate migrated',
      'episodic-migrate migrated',
      'semantic-migrate migrated',
    ]);
    expect(services.sort()).toEqual(
      [
        'config-service',
        'episodic-api',
        'episodic-worker',
        'gateway',
        'semantic-api',
        'semantic-worker',
        'streams',
      ].map((name) => `${name} started`),
    );
    expect(output()).toContain(`curl -s http://localhost:${port}/api/v2/memories/search`);
    expect(await envOf('gateway')).toMatchObject({
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'debug',
    });
    expect(await envOf('gateway')).not.toHaveProperty('DATABASE_URL');
    expect(await envOf('config-service')).not.toHaveProperty('QDRANT_URL');
    expect((await envOf('streams'))['NATS_URL']).toMatch(/^nats:\/\/streams:/);
    expect(await envOf('streams')).not.toHaveProperty('DATABASE_URL');
    expect(await envOf('episodic-worker')).toMatchObject({
      NATS_URL: expect.stringMatching(/^nats:\/\/episodic:\w+@127\.0\.0\.1:\d+$/),
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/loci_episodic:\w+@127\.0\.0\.1:\d+\/loci$/),
      QDRANT_API_KEY: expect.stringMatching(/^\w+$/),
      QDRANT_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      NODE_ENV: 'production',
      SERVICE_NAME: 'episodic-worker',
    });
  },
  TIMEOUT_MS,
);

test(
  'the gateway begins when the services that answer operations are ready, so that no first request is refused',
  async () => {
    await writeStandInApps(appsFolder(), { 'semantic-service/dist/api.main.js': READY_LATE });
    await launchUntilReady();
    const lines = journal();
    const ready = lines.indexOf('semantic-api ready');
    expect(ready).toBeGreaterThan(lines.indexOf('semantic-api started'));
    expect(lines.indexOf('gateway started')).toBeGreaterThan(ready);
  },
  TIMEOUT_MS,
);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops everything, the gateway before the services before the servers, and frees the folder',
  async (signal) => {
    const launcher = await launchUntilReady();
    launcher.child.kill(signal);
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    const drained = journal().filter((line) => line.endsWith('drained'));
    expect(drained).toHaveLength(7);
    expect(drained[0]).toBe('gateway drained');
    const stopped = [...launcher.output().matchAll(/(\S+) stopped\n/g)].map(([, name]) => name);
    expect(stopped.slice(0, 1)).toEqual(['gateway']);
    expect(stopped.slice(1, 7).sort()).toEqual([
      'config-service',
      'episodic-api',
      'episodic-worker',
      'semantic-api',
      'semantic-worker',
      'streams',
    ]);
    expect(stopped.slice(7).sort()).toEqual(['nats', 'postgres', 'qdrant']);
    expect(await processesOf(folder)).toEqual([]);
    expect(await readdir(join(folder, 'data', 'run'))).toEqual(['processes.json']);
  },
  TIMEOUT_MS,
);

test(
  'a launcher killed with SIGKILL leaves nothing running, and another start works at once',
  async () => {
    for (let round = 0; round < 2; round++) {
      const launcher = await launchUntilReady();
      launcher.child.kill('SIGKILL');
      await launcher.exited;
    }
    const last = await launchUntilReady();
    const pids = Object.values(await running()).map(({ pid }) => pid);
    expect(pids).toHaveLength(10);
    last.child.kill('SIGKILL');
    await last.exited;
    await eventually('all are gone', async () => (await processesOf(folder)).length === 0);
  },
  TIMEOUT_MS,
);

test(
  'any process that is killed comes back',
  async () => {
    const { output } = await launchUntilReady();
    const before = await running();
    for (const [name, { pid }] of Object.entries(before)) {
      process.kill(pid, 'SIGKILL');
      await eventually(`${name} is back`, () => output().includes(`${name} is back`));
    }
    const after = await running();
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    for (const [name, { pid, ports }] of Object.entries(before)) {
      expect(after[name]).toMatchObject({ ports });
      expect(after[name]?.pid).not.toBe(pid);
    }
  },
  TIMEOUT_MS,
);

test(
  'a service that keeps dying ends the start with its last words, and everything is stopped',
  async () => {
    await writeStandInApps(appsFolder(), {
      'episodic-service/dist/worker.main.js': `console.error('the model file is damaged'); process.exit(78);`,
    });
    const launcher = await launch();
    expect(await launcher.exited).toEqual({ code: 1, signal: null });
    expect(launcher.errors()).toMatch(
      /^Loci did not start\. episodic-worker ended while starting \(exit code 78\)[^]*the model file is damaged[^]*episodic-worker\.log\n$/,
    );
    expect(await processesOf(folder)).toEqual([]);
    expect(await readdir(join(folder, 'data', 'run'))).toEqual(['processes.json']);
  },
  TIMEOUT_MS,
);

test(
  'a migration that fails ends the start with the sentence that it wrote, before any service runs',
  async () => {
    await writeStandInApps(appsFolder(), {
      'config-service/dist/migrate.main.js': `process.stderr.write('The schema is newer than this version.\\n'); process.exit(1);`,
    });
    const launcher = await launch();
    expect(await launcher.exited).toEqual({ code: 1, signal: null });
    expect(launcher.errors()).toBe(
      'Loci did not start. config-migrate failed (exit code 1): The schema is newer than this version.\n',
    );
    expect(journal().sort()).toEqual(['episodic-migrate migrated', 'semantic-migrate migrated']);
    expect(await processesOf(folder)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'a port in use ends the start at once with one sentence, and nothing was touched',
  async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const dataDir = join(folder, 'untouched');
    const launcher = await launch({ LOCI_DATA_DIR: dataDir });
    expect(await launcher.exited).toEqual({ code: 1, signal: null });
    other.close();
    expect(launcher.errors()).toBe(
      `Loci did not start. Port ${port} on 127.0.0.1 is in use by another process: stop that process, or set PORT to a free port.\n`,
    );
    expect(existsSync(dataDir)).toBe(false);
  },
  TIMEOUT_MS,
);

test(
  'a setting that does not fit ends the start with one sentence',
  async () => {
    const launcher = await launch({ PORT: 'http' });
    expect(await launcher.exited).toEqual({ code: 1, signal: null });
    expect(launcher.errors()).toBe(
      'Loci did not start. PORT must be a port number from 1 to 65535, not "http".\n',
    );
  },
  TIMEOUT_MS,
);

test(
  'a Ctrl-C that npm repeats is still an orderly stop',
  async () => {
    const launcher = await launchUntilReady();
    launcher.child.kill('SIGINT');
    await eventually('it is stopping', () => launcher.output().includes('stopping'));
    launcher.child.kill('SIGINT');
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    expect(journal().filter((line) => line.endsWith('drained'))).toHaveLength(7);
  },
  TIMEOUT_MS,
);

test(
  'when npm is ended, and only its shell with it, everything is stopped',
  async () => {
    const shell = ['sh', '-c', '"$@"; exit $?', 'sh'];
    const launcher = await launchUntilReady({ npm_lifecycle_event: 'start' }, shell);
    launcher.child.kill('SIGTERM');
    await launcher.exited;
    expect(journal().filter((line) => line.endsWith('drained'))).toHaveLength(7);
    await eventually('all are gone', async () => (await processesOf(folder)).length === 0);
  },
  TIMEOUT_MS,
);

test(
  'a second Ctrl-C ends everything at once, and frees the folder',
  async () => {
    await writeStandInApps(appsFolder(), { 'gateway/dist/api.main.js': IGNORES_SIGTERM });
    const launcher = await launchUntilReady();
    await eventually('it gave up', () => {
      launcher.child.kill('SIGINT');
      return launcher.child.exitCode !== null;
    });
    expect(await launcher.exited).toEqual({ code: 130, signal: null });
    expect(launcher.output()).not.toContain('gateway stopped');
    await eventually('all are gone', async () => (await processesOf(folder)).length === 0);
    expect(await readdir(join(folder, 'data', 'run'))).toEqual(['processes.json']);
  },
  TIMEOUT_MS,
);

test(
  'a signal in the middle of the start stops what was started',
  async () => {
    const launcher = await launch();
    await prints(launcher, 'is ready');
    launcher.child.kill('SIGTERM');
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    expect(launcher.output()).not.toContain('Loci is ready');
    expect(await processesOf(folder)).toEqual([]);
  },
  TIMEOUT_MS,
);
