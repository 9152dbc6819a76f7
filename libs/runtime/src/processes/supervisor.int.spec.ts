import { afterEach, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench, eventually, IDLE, isAlive, Leftovers, script } from '../../test/fixtures.js';

const leftovers = new Leftovers();
afterEach(() => leftovers.clear());

const STUBBORN = `process.on('SIGTERM', () => {}); ${IDLE}`;

const listed = (path: string): unknown =>
  JSON.parse(readFileSync(join(path, 'run', 'processes.json'), 'utf8'));

test('a process killed with SIGKILL is brought back, again and again, and the list names the new one', async () => {
  const it = await bench(leftovers);
  await it.supervisor.start([script(it, 'worker', IDLE, { ports: { http: 1234 } })]);
  const pids = [it.pidOf('worker')];
  for (const times of [1, 2]) {
    process.kill(it.pidOf('worker'), 'SIGKILL');
    await it.restarted('worker', times);
    pids.push(it.pidOf('worker'));
  }
  expect(new Set(pids).size).toBe(3);
  expect(pids.map(isAlive)).toEqual([false, false, true]);
  expect(listed(it.folder.path)).toEqual({
    worker: { pid: pids[2], ports: { http: 1234 }, state: 'ready', restarts: 2 },
  });
});

test('what happens to a process is told in order', async () => {
  const it = await bench(leftovers);
  await it.supervisor.start([script(it, 'worker', IDLE)]);
  process.kill(it.pidOf('worker'), 'SIGKILL');
  await it.restarted('worker');
  await it.supervisor.stop();
  expect(it.events.map(({ kind }) => kind)).toEqual([
    'started',
    'ready',
    'died',
    'started',
    'restarted',
    'stopped',
  ]);
  expect(it.events[2]).toMatchObject({ exit: { code: null, signal: 'SIGKILL' }, restartInMs: 100 });
});

test('a process that ends by itself with code 0 is brought back too', async () => {
  const it = await bench(leftovers);
  const code = `console.log('ready ' + process.pid); setTimeout(() => process.exit(0), 200);`;
  await it.supervisor.start([script(it, 'worker', code)]);
  await it.restarted('worker');
});

test('a process that is stuck is brought back, and only then', async () => {
  const it = await bench(leftovers);
  let isStuck = false;
  let asked = 0;
  const is = (): Promise<boolean> => {
    asked += 1;
    return Promise.resolve(isStuck);
  };
  await it.supervisor.start([script(it, 'worker', IDLE, { stuck: { everyMs: 20, is } })]);
  const pid = it.pidOf('worker');
  await eventually('it was asked twice', () => asked >= 2 || undefined);
  expect(isAlive(pid)).toBe(true);
  isStuck = true;
  await eventually('it was stopped', () => !isAlive(pid) || undefined);
  isStuck = false;
  await it.restarted('worker');
  expect(it.pidOf('worker')).not.toBe(pid);
});

test('a stop leaves no process, the last group first', async () => {
  const it = await bench(leftovers);
  await it.supervisor.start([script(it, 'one', IDLE), script(it, 'two', IDLE)]);
  await it.supervisor.start([script(it, 'three', IDLE)]);
  const pids = ['one', 'two', 'three'].map((name) => it.pidOf(name));
  await it.supervisor.stop();
  expect(pids.map(isAlive)).toEqual([false, false, false]);
  const stopped = it.events.filter(({ kind }) => kind === 'stopped').map(({ name }) => name);
  expect(stopped[0]).toBe('three');
  expect(stopped.slice(1).sort()).toEqual(['one', 'two']);
  expect(listed(it.folder.path)).toEqual({});
});

test('a process that ignores the signal is ended when its time is over, with its children', async () => {
  const it = await bench(leftovers);
  const child = `const child = require('child_process').spawn('sleep', ['60']); console.log('child ' + child.pid);`;
  await it.supervisor.start([script(it, 'stubborn', child + STUBBORN, { stopTimeoutMs: 200 })]);
  const log = readFileSync(join(it.folder.part('logs'), 'stubborn.log'), 'utf8');
  const childPid = Number(/child (\d+)/.exec(log)?.[1]);
  expect(isAlive(childPid)).toBe(true);
  await it.supervisor.stop();
  expect(isAlive(it.pidOf('stubborn'))).toBe(false);
  await eventually('the child ended', () => !isAlive(childPid) || undefined);
});

test('a process that dies while starting fails the start with the end of its log', async () => {
  const it = await bench(leftovers);
  const started = it.supervisor.start([
    script(it, 'broken', `console.error('DATABASE_URL is missing'); process.exit(3);`),
  ]);
  await expect(started).rejects.toMatchObject({
    code: 'process_failed',
    message: expect.stringMatching(
      /^broken ended while starting \(exit code 3\)\. The end of its log:\nDATABASE_URL is missing\n.*broken\.log$/,
    ),
  });
});

test('a first start that may be tried again succeeds when a later one does', async () => {
  const it = await bench(leftovers);
  const marker = JSON.stringify(join(it.folder.path, 'run', 'marker'));
  const second = `const fs = require('fs'); if (!fs.existsSync(${marker})) { fs.writeFileSync(${marker}, ''); console.error('WouldBlock'); process.exit(1); } ${IDLE}`;
  const retryStart = { forMs: 60_000, when: (lines: string) => lines.includes('WouldBlock') };
  await it.supervisor.start([script(it, 'second', second, { retryStart })]);
  expect(it.events.map(({ kind }) => kind)).toEqual(['started', 'started', 'ready']);
});

test('a process that is killed before it was ever ready is started again, however often', async () => {
  const it = await bench(leftovers);
  const marker = join(it.folder.path, 'kills');
  writeFileSync(marker, '');
  // dies of a signal three times, as one that the kernel ends for want of memory
  const code = `
    const fs = await import('node:fs');
    if (fs.readFileSync(${JSON.stringify(marker)}, 'utf8').length < 3) {
      fs.appendFileSync(${JSON.stringify(marker)}, 'x');
      process.kill(process.pid, 'SIGKILL');
    }
    ${IDLE}`;
  await it.supervisor.start([script(it, 'worker', code)]);
  expect(it.pidOf('worker')).toBeGreaterThan(0);
  expect(it.events.filter(({ kind }) => kind === 'start-failed')).toMatchObject(
    Array.from({ length: 3 }, () => ({ reason: expect.stringContaining('signal SIGKILL') })),
  );
});

describe('a program that has an exit code for refused settings', () => {
  test('is started again when it ends by another one before it was ever ready', async () => {
    const it = await bench(leftovers);
    const marker = JSON.stringify(join(it.folder.path, 'run', 'marker'));
    const code = `const fs = require('fs'); if (!fs.existsSync(${marker})) { fs.writeFileSync(${marker}, ''); process.exit(1); } ${IDLE}`;
    await it.supervisor.start([script(it, 'worker', code, { refusalCode: 78 })]);
    expect(it.events.map(({ kind }) => kind)).toEqual(['started', 'start-failed', 'started', 'ready']);
  });

  test('ends the start by that one, at once', async () => {
    const it = await bench(leftovers);
    const refusing = script(it, 'refusing', 'process.exit(78);', { refusalCode: 78 });
    await expect(it.supervisor.start([refusing])).rejects.toMatchObject({ code: 'process_failed' });
    expect(it.events.map(({ kind }) => kind)).toEqual(['started']);
  });
});

test('a process that takes long to get ready is named meanwhile, and not any more when it is ready', async () => {
  const it = await bench(leftovers);
  const marker = join(it.folder.path, 'told');
  const code = `
    const fs = require('fs');
    const look = setInterval(() => {
      if (!fs.existsSync(${JSON.stringify(marker)})) return;
      clearInterval(look);
      ${IDLE}
    }, 10);`;
  const started = it.supervisor.start([script(it, 'slow', code, { tellWaitingMs: 50 })]);
  const waiting = (): typeof it.events => it.events.filter(({ kind }) => kind === 'waiting');
  await eventually('it was told of twice', () => waiting().length >= 2 || undefined);
  writeFileSync(marker, '');
  await started;
  expect(waiting()[1]).toEqual({
    kind: 'waiting',
    name: 'slow',
    forMs: expect.any(Number),
    readyTimeoutMs: 60_000,
  });
  expect(it.events.at(-1)).toMatchObject({ kind: 'ready' });
});

test('a process that never gets ready is ended and says so', async () => {
  const it = await bench(leftovers);
  const mute = script(it, 'mute', 'setInterval(() => {}, 1000)', { readyTimeoutMs: 300 });
  await expect(it.supervisor.start([mute])).rejects.toThrow(
    /^mute was not ready after 300 ms\. Its log is empty/,
  );
  expect(it.supervisor.processes).toEqual({});
});

test('a program that does not exist is a sentence', async () => {
  const it = await bench(leftovers);
  const absent = script(it, 'absent', '', { cwd: '/nonexistent' });
  await expect(it.supervisor.start([absent])).rejects.toMatchObject({
    code: 'process_failed',
    message: expect.stringMatching(/^absent could not be run: .*ENOENT/),
  });
});

test('a stop during a start ends the start, and nothing is left', async () => {
  const it = await bench(leftovers);
  const starting = it.supervisor.start([script(it, 'slow', 'setInterval(() => {}, 1000)')]);
  const failed = expect(starting).rejects.toMatchObject({ code: 'stopped' });
  const pid = await eventually('it was spawned', () => it.pidOf('slow') || undefined);
  await it.supervisor.stop();
  await failed;
  expect(isAlive(pid)).toBe(false);
});

test('a stop during the pause before a restart is not held up, and nothing comes back', async () => {
  const it = await bench(leftovers);
  const once = `if (process.env.FLAG && require('fs').existsSync(process.env.FLAG)) process.exit(1); ${IDLE}`;
  const FLAG = join(it.folder.path, 'run', 'flag');
  await it.supervisor.start([script(it, 'worker', once, { env: { FLAG } })]);
  writeFileSync(FLAG, '');
  process.kill(it.pidOf('worker'), 'SIGKILL');
  await eventually('restarts fail', () => it.events.find(({ kind }) => kind === 'restart-failed'));
  await it.supervisor.stop();
  expect(it.supervisor.processes).toEqual({});
});

test('every run starts a new log and keeps the one before', async () => {
  const path = await leftovers.folder();
  for (const run of ['first', 'second', 'third']) {
    const it = await bench(leftovers, path);
    await it.supervisor.start([script(it, 'worker', `console.log('${run} run'); ${IDLE}`)]);
    await it.supervisor.stop();
    it.folder.close();
  }
  const logs = join(path, 'logs');
  expect(readdirSync(logs).sort()).toEqual(['worker.log', 'worker.previous.log']);
  expect(readFileSync(join(logs, 'worker.log'), 'utf8')).toContain('third run');
  expect(readFileSync(join(logs, 'worker.previous.log'), 'utf8')).toContain('second run');
});

test('a log that grows beyond 10 MiB is set aside while its process runs, and goes on', async () => {
  const it = await bench(leftovers, undefined, { boundLogsEveryMs: 20 });
  const code = `console.log('ready ' + process.pid); console.log('x'.repeat(11 * 1024 * 1024)); setInterval(() => console.log('and on'), 50);`;
  await it.supervisor.start([script(it, 'worker', code, { isReady: () => Promise.resolve(true) })]);
  const log = (name: string): string => join(it.folder.part('logs'), name);
  const isSetAside = (): boolean =>
    existsSync(log('worker.previous.log')) && statSync(log('worker.log')).size < 1_000;
  await eventually('it was set aside', () => isSetAside() || undefined);
  await eventually(
    'it goes on',
    () => readFileSync(log('worker.log'), 'utf8').startsWith('and on') || undefined,
  );
  expect(it.supervisor.processes).toMatchObject({ worker: { restarts: 0 } });
  expect(statSync(log('worker.previous.log')).size).toBe(10 * 1024 * 1024);
});

test('a log that cannot be looked at keeps no other from being set aside, and ends nothing', async () => {
  const it = await bench(leftovers, undefined, { boundLogsEveryMs: 20 });
  const log = (name: string): string => join(it.folder.part('logs'), name);
  const isReady = (): Promise<boolean> => Promise.resolve(true);
  await it.supervisor.start([script(it, 'broken', 'setInterval(() => {}, 1000);', { isReady })]);
  rmSync(log('broken.log'));
  symlinkSync(log('broken.log'), log('broken.log'));
  const code = `console.log('x'.repeat(11 * 1024 * 1024)); setInterval(() => {}, 1000);`;
  await it.supervisor.start([script(it, 'long', code, { isReady })]);
  await eventually('the other is set aside', () => existsSync(log('long.previous.log')) || undefined);
  expect(it.supervisor.processes).toMatchObject({ broken: { restarts: 0 }, long: { restarts: 0 } });
});
