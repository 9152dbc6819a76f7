import { expect, test } from '@jest/globals';
import { RequestContext } from '@loci/platform';
import { QueryVectors } from './query-vectors.js';

/** @returns the queries that were embedded, in sequence */
function asking(): {
  readonly embedded: string[];
  readonly ask: (query: string, orgId?: string, fingerprint?: string) => Promise<Float32Array>;
} {
  const vectors = new QueryVectors();
  const embedded: string[] = [];
  return {
    embedded,
    ask: (query, orgId = 'acme', fingerprint = 'model') =>
      RequestContext.run({ requestId: 'r', ...(orgId !== '' && { orgId }) }, () =>
        vectors.find(fingerprint, query, () => {
          embedded.push(query);
          return Promise.resolve(Float32Array.of(query.length));
        }),
      ),
  };
}

test('a query that is asked again is not embedded again', async () => {
  const { embedded, ask } = asking();
  expect([await ask('tea?'), await ask('coffee?'), await ask('tea?')]).toEqual(
    [4, 7, 4].map((length) => Float32Array.of(length)),
  );
  expect(embedded).toEqual(['tea?', 'coffee?']);
});

test('nothing is known of what another organization asked, of another model, or outside of a request', async () => {
  const { embedded, ask } = asking();
  await ask('tea?');
  await ask('tea?', 'other');
  await ask('tea?', 'acme', 'other model');
  await ask('tea?', '');
  await ask('tea?', '');
  expect(embedded).toHaveLength(5);
});

test('those that were asked last are kept', async () => {
  const { embedded, ask } = asking();
  await ask('first');
  for (let count = 0; count < 1_999; count += 1) await ask(`query ${count}`);
  await ask('first');
  await ask('one more');
  await ask('first');
  expect(embedded).toHaveLength(2_001);
  await ask('query 0');
  expect(embedded).toHaveLength(2_002);
});

test('a failure is not kept', async () => {
  const vectors = new QueryVectors();
  const ask = (embed: () => Promise<Float32Array>): Promise<Float32Array> =>
    RequestContext.run({ requestId: 'r', orgId: 'acme' }, () => vectors.find('model', 'tea?', embed));
  await expect(ask(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
  await expect(ask(() => Promise.resolve(Float32Array.of(1)))).resolves.toEqual(Float32Array.of(1));
});
