import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';

const PROJECT = { org: 'acme', project: 'p' };
const EPISODE = { uid: 'u', content: 'said' };

let episodes: typeof import('./episodes.js');
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

beforeAll(async () => {
  Object.assign(globalThis, { window: { location: { origin: 'http://127.0.0.1:9' } } });
  episodes = await import('./episodes.js');
});

afterEach(() => {
  client.clear();
  jest.restoreAllMocks();
});

/** A server that has more messages than it can count. */
function answerWithoutTotal(): void {
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() =>
      Promise.resolve(Response.json({ status: 0, content: { episodic_memory: [EPISODE] } })),
    );
}

test('a page is shown, and asked for again, where more messages match than can be counted', async () => {
  answerWithoutTotal();
  const query = { ...episodes.pageQuery(PROJECT, '', 0), staleTime: 0 };
  expect(await client.query(query)).toEqual({ episodes: [EPISODE], total: undefined });
  expect(await client.query(query)).toEqual({ episodes: [EPISODE], total: undefined });
});

test('of more messages than can be counted there is no total', async () => {
  answerWithoutTotal();
  expect(await client.query(episodes.totalQuery(PROJECT, ''))).toBeNull();
  expect(await client.query(episodes.positionQuery(PROJECT, '2024-05-01T00:00:00Z'))).toBeNull();
});

test('which messages are the newest is not known where they cannot be counted, and it says so', async () => {
  answerWithoutTotal();
  const newest = client.query(episodes.newestQuery(PROJECT, 5));
  await expect(newest).rejects.toThrow('More messages are stored than can be counted');
});
