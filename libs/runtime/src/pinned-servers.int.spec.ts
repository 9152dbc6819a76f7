import { afterEach, expect, jest, test } from '@jest/globals';
import { Leftovers, processesNaming } from '../test/fixtures.js';
import { type ProcessEvent } from './processes/process-events.js';
import {
  NATS_BINARY,
  type NpmBinary,
  platform,
  POSTGRES_BINARY,
  QDRANT_BINARY,
} from './servers/npm-binaries.js';
import { type ServerName, startServers } from './start-servers.js';

const leftovers = new Leftovers();
afterEach(async () => {
  jest.restoreAllMocks();
  await leftovers.clear();
});

const SERVERS: readonly (readonly [ServerName, NpmBinary])[] = [
  ['nats', NATS_BINARY],
  ['postgres', POSTGRES_BINARY],
  ['qdrant', QDRANT_BINARY],
];

/** As of a version of Loci that was made with other programs. */
const pin = (binary: NpmBinary, sha256: NpmBinary['sha256']): void => {
  jest.replaceProperty(binary, 'sha256', sha256);
};

test.each(SERVERS)(
  '%s is not started from a program that is another than the pinned one',
  async (name, binary) => {
    pin(binary, { [platform]: '0'.repeat(64) });
    const dataDir = await leftovers.folder();
    const events: ProcessEvent[] = [];
    const onEvent = (event: ProcessEvent): number => events.push(event);
    await expect(
      startServers({ dataDir, durability: 'fast-for-tests', only: [name], onEvent }),
    ).rejects.toMatchObject({ code: 'binary_changed' });
    expect(events).toEqual([]);
    expect(await processesNaming(dataDir)).toEqual([]);
  },
);

test('where no SHA-256 is known, a start says which programs are not checked', async () => {
  pin(NATS_BINARY, {});
  const events: ProcessEvent[] = [];
  const servers = await startServers({
    dataDir: await leftovers.folder(),
    durability: 'fast-for-tests',
    only: ['nats', 'qdrant'],
    onEvent: (event) => events.push(event),
  });
  leftovers.add(() => servers.stop());
  const unchecked = events.filter(({ kind }) => kind === 'unchecked');
  // Qdrant is not pinned either on other platforms than that of the tests
  expect(unchecked[0]).toEqual({ kind: 'unchecked', name: 'nats', platform });
  expect(unchecked).toHaveLength(platform in QDRANT_BINARY.sha256 ? 1 : 2);
  expect(events.findIndex(({ kind }) => kind === 'unchecked')).toBe(0);
});
