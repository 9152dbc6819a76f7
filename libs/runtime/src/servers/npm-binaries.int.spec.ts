import { expect, test } from '@jest/globals';
import { findBinary, NATS_BINARY, type NpmBinary, POSTGRES_BINARY, QDRANT_BINARY } from './npm-binaries.js';

const BINARIES: readonly NpmBinary[] = [NATS_BINARY, POSTGRES_BINARY, QDRANT_BINARY];

test.each(BINARIES)('the $title that third parties packed is the one that was looked at', async (binary) => {
  expect(await findBinary(binary)).toMatch(binary.file);
});

test.each(BINARIES)('a $title that is another one is refused in one sentence', async (binary) => {
  const other = { ...binary, sha256: { [`${process.platform}-${process.arch}`]: '0'.repeat(64) } };
  await expect(findBinary(other)).rejects.toMatchObject({
    code: 'binary_changed',
    message: expect.stringMatching(
      new RegExp(
        `does not hold the ${binary.title} that .* SHA-256 is [0-9a-f]{64}\\): .*npm ci.*${binary.urlVariable}`,
      ),
    ),
  });
});
