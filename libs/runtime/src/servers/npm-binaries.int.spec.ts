import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { findBinary, NATS_BINARY, type NpmBinary, QDRANT_BINARY } from './npm-binaries.js';

async function sha256(binary: NpmBinary): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(await findBinary(binary)), hash);
  return hash.digest('hex');
}

// packages by third parties: a new version of one is accepted by looking at what it holds and pinning it here
test('the nats-server that third parties packed is the one that was looked at (2.14.0)', async () => {
  expect(await sha256(NATS_BINARY)).toBe('c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff');
});

test('the qdrant that third parties packed is the one that was looked at (1.16.3)', async () => {
  expect(await sha256(QDRANT_BINARY)).toBe(
    '8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f',
  );
});
