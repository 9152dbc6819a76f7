import { expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { type Embedders, type IndexVersion, OpenIndexVersion } from '@loci/indexing';
import { type VectorIndex } from '@loci/vectors';
import { QueryMeaning } from './query-meaning.js';

const VECTOR = Float32Array.from([1, 0]);

const unremembered = { find: (_: string, __: string, embed: () => Promise<Float32Array>) => embed() };

/** An index version by an embedder that does what is given; counts what it is asked for. */
function indexVersionBy(
  fingerprint: string,
  embed: () => Promise<Float32Array[]> = () => Promise.resolve([VECTOR]),
) {
  const asked: (readonly string[])[] = [];
  const indexVersion: IndexVersion = {
    uid: 'u',
    ownerUid: 'set',
    embedder: fingerprint,
    fingerprint,
    dimensions: 2,
    state: 'active',
  };
  const embedder = {
    fingerprint,
    dimensions: 2,
    embed: (texts: readonly string[]) => {
      asked.push(texts);
      return embed();
    },
    close: () => Promise.resolve(),
  };
  const embedders: Pick<Embedders, 'named' | 'waitFor' | 'waitForRows'> = {
    named: () => Promise.resolve(embedder),
    waitFor: (_, work) => work(AbortSignal.any([])),
    waitForRows: (_, work) => work(),
  };
  return { open: new OpenIndexVersion(indexVersion, {} as VectorIndex, embedders, unremembered), asked };
}

test('each embedder is asked once, however many sets share it', async () => {
  const [one, other] = [indexVersionBy('one'), indexVersionBy('other')];
  const meaning = new QueryMeaning('what');
  const found = await Promise.all([meaning.in(one.open), meaning.in(one.open), meaning.in(other.open)]);
  expect(found).toEqual([VECTOR, VECTOR, VECTOR]);
  expect([one.asked, other.asked]).toEqual([[['what']], [['what']]]);
});

test('one that is down leaves the others as they are', async () => {
  const down = indexVersionBy('down', () => Promise.reject(unavailable('embedder_unavailable', 'down')));
  const meaning = new QueryMeaning('what');
  expect(await meaning.in(down.open)).toBeUndefined();
  expect(await meaning.in(indexVersionBy('up').open)).toEqual(VECTOR);
});

test('a defect is not taken for an outage', async () => {
  const defect = indexVersionBy('defect', () => Promise.reject(new TypeError('defect')));
  await expect(new QueryMeaning('what').in(defect.open)).rejects.toThrow('defect');
});
