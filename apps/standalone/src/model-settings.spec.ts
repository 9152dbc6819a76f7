import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readEnv } from './env.js';
import { modelEnv, readModelSettings, type ModelSettings } from './model-settings.js';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loci-settings-'));
});

afterEach(() => rm(dataDir, { recursive: true }));

const read = (source: NodeJS.ProcessEnv = {}): Promise<ModelSettings> =>
  readModelSettings(readEnv({ ...source, LOCI_DATA_DIR: dataDir }), source);

test('a data folder has a key of its own, kept from one start to the next, for its owner alone', async () => {
  const { secretKeys } = await read();
  expect(secretKeys).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
  expect((await read()).secretKeys).toBe(secretKeys);
  expect((await stat(join(dataDir, 'secret.keys'))).mode & 0o777).toBe(0o600);
});

test('a key given by the environment wins, and nothing is written', async () => {
  expect((await read({ LOCI_SECRET_KEYS: 'mine:x' })).secretKeys).toBe('mine:x');
  await expect(stat(join(dataDir, 'secret.keys'))).rejects.toThrow('ENOENT');
});

test('models may be nearby when only this machine reaches Loci, or when the operator says so', async () => {
  expect((await read()).allowPrivateEgress).toBe(true);
  expect((await read({ HOST: '0.0.0.0' })).allowPrivateEgress).toBe(false);
  expect((await read({ HOST: '0.0.0.0', EGRESS_ALLOW_PRIVATE: 'true' })).allowPrivateEgress).toBe(true);
  expect((await read({ EGRESS_ALLOW_PRIVATE: 'false' })).allowPrivateEgress).toBe(false);
});

test('the configuration file is the one that was asked for, or that of the folder if it is there', async () => {
  expect((await read()).configurationFile).toBeUndefined();
  expect(modelEnv(await read())).not.toHaveProperty('MEMORY_CONFIG');
  await writeFile(join(dataDir, 'config.yml'), '');
  expect((await read()).configurationFile).toBe(join(dataDir, 'config.yml'));
  expect((await read({ MEMORY_CONFIG: 'other.yml' })).configurationFile).toBe(resolve('other.yml'));
});
