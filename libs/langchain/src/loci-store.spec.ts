import { expect, test } from '@jest/globals';
import { Loci } from '@loci/client';
import { LociStore } from './loci-store.js';

/** A store whose server answers what the test says, with success by default. */
function storeOn(
  answer: (path: string, body: { readonly top_k?: number }) => Response | undefined,
): LociStore {
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname: path } = new URL(request.url);
    const body = (await request.json()) as object;
    const none = { episodes: [], episode_summary: [] };
    const found = { long_term_memory: none, short_term_memory: none };
    const episodic_memory = path.endsWith('/search') ? found : [];
    return (
      answer(path, body) ?? Response.json({ results: [], content: { episodic_memory, semantic_memory: [] } })
    );
  };
  const loci = new Loci({ url: 'http://127.0.0.1:9', fetch, maxRetries: 0 });
  return new LociStore({ loci, org: 'acme', project: 'store' });
}

test('a project that could not be made is made with the next item', async () => {
  let tries = 0;
  const store = storeOn((path) => {
    if (path !== '/api/v2/projects') return undefined;
    tries += 1;
    return tries === 1
      ? Response.json({ detail: 'Later.', code: 'service_unavailable' }, { status: 503 })
      : undefined;
  });
  await expect(store.put(['users'], 'a', { value: 1 })).rejects.toMatchObject({ status: 503 });
  await store.put(['users'], 'a', { value: 1 });
  await store.put(['users'], 'b', { value: 2 });
  expect(tries).toBe(2);
});

test('a search with a filter looks through the best thousand, one without through as many as are wanted', async () => {
  const looked: (number | undefined)[] = [];
  const store = storeOn((path, { top_k }) => {
    if (path.endsWith('/search')) looked.push(top_k);
    return undefined;
  });
  await store.search(['users'], { query: 'seats', filter: { colour: 'red' } });
  await store.search(['users'], { query: 'seats', limit: 7 });
  expect(looked).toEqual([1_000, 7]);
});

test('where a thousand are too many for one answer, it looks through ten times as many as are wanted', async () => {
  const looked: (number | undefined)[] = [];
  const store = storeOn((path, { top_k }) => {
    if (path.endsWith('/search')) looked.push(top_k);
    const refusal = { detail: 'Too large.', code: 'body_too_large' };
    return top_k === 1_000 ? Response.json(refusal, { status: 413 }) : undefined;
  });
  await store.search(['users'], { query: 'seats', filter: { colour: 'red' } });
  expect(looked).toEqual([1_000, 100]);
});
