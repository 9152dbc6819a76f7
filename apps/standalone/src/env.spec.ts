import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { EnvError, readEnv } from './env.js';

test('nothing needs to be set', () => {
  expect(readEnv({ PORT: '', NATS_URL: '' })).toEqual({
    port: 8080,
    host: '127.0.0.1',
    isAuthRequired: false,
    dataDir: resolve('.loci'),
    restoreFrom: undefined,
    logLevel: 'warn',
    workerNiceness: 10,
    urls: {},
    ports: {},
  });
});

test('everything can be set', () => {
  const env = readEnv({
    PORT: '80',
    HOST: '::1',
    LOCI_DATA_DIR: '/data',
    LOCI_RESTORE: '/backups/x',
    LOCI_LOG_LEVEL: 'debug',
    WORKER_NICENESS: '0',
    NATS_URL: 'nats://a:4222',
    DATABASE_URL: 'postgresql://b/loci',
    QDRANT_URL: 'https://c',
    NATS_PORT: '1',
    POSTGRES_PORT: '65535',
    QDRANT_PORT: '6333',
  });
  expect(env).toEqual({
    port: 80,
    host: '::1',
    isAuthRequired: false,
    dataDir: '/data',
    restoreFrom: '/backups/x',
    logLevel: 'debug',
    workerNiceness: 0,
    urls: { nats: 'nats://a:4222', postgres: 'postgresql://b/loci', qdrant: 'https://c' },
    ports: { nats: 1, postgres: 65_535, qdrant: 6333 },
  });
});

test.each([
  ['WORKER_NICENESS', '20'],
  ['WORKER_NICENESS', '-1'],
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '8080x'],
  ['PORT', '0x50'],
  ['PORT', '-1'],
  ['NATS_PORT', 'four'],
  ['LOCI_LOG_LEVEL', 'loud'],
  ['NATS_URL', 'a:4222'],
  ['QDRANT_URL', 'localhost'],
])('%s=%s is refused with a sentence that names it', (variable, value) => {
  const read = (): unknown => readEnv({ [variable]: value });
  expect(read).toThrow(EnvError);
  expect(read).toThrow(new RegExp(`^${variable} must be .*\\.$`));
});

test('an address that does not fit is not repeated, for it may hold a password', () => {
  expect(() => readEnv({ DATABASE_URL: 'mysql://me:secret@db' })).toThrow(/^DATABASE_URL(?!.*secret)/);
});

test.each([
  [{}, false],
  [{ HOST: 'localhost' }, false],
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '0.0.0.0', AUTH: 'off' }, false],
  [{ AUTH: 'on' }, true],
  [{ HOST: '10.0.0.1', AUTH: 'auto' }, true],
])('%j: callers have to say who they are: %s', (source, expected) => {
  expect(readEnv(source).isAuthRequired).toBe(expected);
});

test('a mode of authentication that there is not is refused, not guessed', () => {
  expect(() => readEnv({ AUTH: 'no' })).toThrow('AUTH must be one of on, off, auto, not "no".');
});
