import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { product } from './product.js';

const MINE = ['The ferry to the island leaves at nine.', 'We took the ferry.', 'The tram was late again.'];

/** Messages that are noted to have their vectors. */
async function indexedOf(client: Client): Promise<unknown> {
  const { active } = (await client.ask('GET', '/projects/index')).body;
  return (active as Json | null)?.['indexed'];
}

const QUERY = 'When does the ferry leave?';

test('what others store changes no score: not their words, not how many they are', async () => {
  const loci = await product();
  const [mine, others] = ['quiet', 'busy'].map(
    (project_id) => new Client(loci.url, { org_id: `acme-${project_id}`, project_id }),
  ) as [Client, Client];
  const store = async (client: Client, contents: readonly string[]): Promise<void> => {
    await client.add(contents, { timestamp: '2024-06-01T12:00:00Z' });
    // a search scores words by another path until the vector of a message is noted, not only stored
    await eventually(async () => (await indexedOf(client)) === contents.length, {
      what: 'all messages have their vectors',
    });
  };
  await store(mine, MINE);
  await mine.disableShortTerm();
  const asked = { explain: true, reference_time: '2024-06-02T12:00:00Z' };
  const before = await mine.search(QUERY, asked);
  expect(before.longTerm).toHaveLength(MINE.length);
  await store(
    others,
    Array.from({ length: 100 }, (_, index) => `The ferry leaves at ${index}.`),
  );
  expect(await mine.search(QUERY, asked)).toEqual(before);
});

test('in a search of one conversation the name of one who talks there weighs little', async () => {
  const client = new Client((await product()).url, { org_id: 'acme-names', project_id: 'calls' });
  for (const talking of ['ann ben', 'carl dora', 'eve finn', 'gina hugo']) {
    for (const producer of talking.split(' ')) {
      const metadata = { session_id: talking };
      await client.add(MINE, { producer, metadata, timestamp: '2024-06-01T12:00:00Z' });
    }
  }
  await client.disableShortTerm();
  const wordsOf = async (more: Json): Promise<number> => {
    const { longTerm } = await client.search('What about Ann?', { explain: true, ...more });
    const [first] = longTerm as unknown as { explanation: { parts: { name: string; raw: number }[] } }[];
    return first?.explanation.parts.find(({ name }) => name === 'words')?.raw ?? Number.NaN;
  };
  expect(await wordsOf({})).toBeGreaterThan(3);
  expect(await wordsOf({ filter: "metadata.session_id = 'ann ben'" })).toBeLessThan(2);
});
