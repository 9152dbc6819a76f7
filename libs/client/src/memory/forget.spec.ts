import { expect, test } from '@jest/globals';
import { type Episode, type Feature, Loci, where } from '../index.js';

/** A server that counts two messages, and has deleted five of them when it is asked the second time. */
function memory() {
  const job = { id: 'j', requested_at: '2024-05-01T00:00:00Z', matching: 2, error: null };
  const states = [
    { state: 'deleting', deleted: 0 },
    { state: 'deleting', deleted: 2 },
    { state: 'purging', deleted: 5 },
  ];
  const fetch = () => Promise.resolve(Response.json({ ...job, ...states.shift() }));
  return new Loci({ url: 'http://127.0.0.1:9', fetch }).memory({ org: 'acme', project: 'p' });
}

const filter = where({ session_id: 's' });

test('who waits until messages are forgotten learns how many were deleted', async () => {
  expect(await memory().forget(filter)).toBe(5);
});

test('who does not wait learns how many matched', async () => {
  expect(await memory().forget(filter, { wait: false })).toBe(2);
});

/** A server on which only `there` is remembered. */
function remembering(there: string) {
  const sent: { readonly ids: readonly string[]; readonly key: string | null }[] = [];
  const fetch = async (request: Request) => {
    const body = (await request.json()) as { episodic_ids?: string[]; semantic_ids?: string[] };
    const ids = [...(body.episodic_ids ?? []), ...(body.semantic_ids ?? [])];
    sent.push({ ids, key: request.headers.get('idempotency-key') });
    const not_found = ids.filter((id) => id !== there);
    if (not_found.length === 0) return new Response(null, { status: 204 });
    return Response.json({ detail: 'gone', code: 'memory_not_found', not_found }, { status: 404 });
  };
  return {
    sent,
    memory: new Loci({ url: 'http://127.0.0.1:9', fetch }).memory({ org: 'acme', project: 'p' }),
  };
}

const episode = (id: string) => ({ kind: 'episode', id }) as Episode;
const fact = { kind: 'feature', id: 'fact' } as Feature;

test('what is not there keeps none of the others from being deleted', async () => {
  const { sent, memory } = remembering('fact');
  const gone = Array.from({ length: 1001 }, (_, index) => episode(`e${index}`));
  await expect(memory.forget([...gone, fact])).rejects.toMatchObject({
    code: 'memory_not_found',
    notFound: gone.map(({ id }) => id),
  });
  expect(sent.at(-1)?.ids).toEqual(['fact']);
});

test('memories that take several requests are deleted under one key of the application', async () => {
  const { sent, memory } = remembering('fact');
  await expect(memory.forget([episode('e'), fact], { idempotencyKey: 'mine' })).rejects.toMatchObject({
    notFound: ['e'],
  });
  expect(sent.map(({ key }) => key)).toEqual(['mine', 'mine.1']);
});
