import { beforeEach, expect, test } from '@jest/globals';
import { type VectorCollections } from '../collections/vector-collections.js';
import { FirstCollections } from './first-collections.js';
import { type IndexVersionModel } from './index-version.js';
import { type IndexVersionsRepository } from './index-versions.repository.js';

const model = (name: string): IndexVersionModel => ({ embedder: name, fingerprint: name, dimensions: 4 });

/** Collections that were noted, and that were begun to be made. */
let known: Set<string>;
let begun: string[];
/** Ends the making of the slow one. */
let end: () => void;
let ended: Promise<void>;

beforeEach(() => {
  [known, begun] = [new Set(), []];
  ended = new Promise((resolve) => {
    end = resolve;
  });
});

const collections = (): FirstCollections => {
  const repository = {
    addCollection: ({ fingerprint }: IndexVersionModel) => {
      const isNew = !known.has(fingerprint);
      known.add(fingerprint);
      return Promise.resolve(isNew);
    },
  };
  const server = {
    get: ({ fingerprint }: IndexVersionModel) => ({
      ensureCollection: async () => {
        begun.push(fingerprint);
        if (fingerprint === 'broken') throw new Error('It cannot be made.');
        if (fingerprint === 'slow') await ended;
      },
    }),
  };
  return new FirstCollections(
    repository as unknown as IndexVersionsRepository,
    server as unknown as VectorCollections,
  );
};

test('one that takes long is waited for once, for a moment; it goes on being made, once', async () => {
  const it = collections();
  const late = { code: 'embedder_unavailable', message: expect.stringContaining('slow') };
  const begunAtMs = performance.now();
  await Promise.all([1, 2].map(() => expect(it.makeSoon(model('slow'))).rejects.toMatchObject(late)));
  expect(performance.now() - begunAtMs).toBeGreaterThan(400);
  const againAtMs = performance.now();
  await expect(it.makeSoon(model('slow'))).rejects.toMatchObject(late);
  expect(performance.now() - againAtMs).toBeLessThan(400);
  await it.makeSoon(model('other'));
  const patient = it.make(model('slow'));
  end();
  await patient;
  await it.makeSoon(model('slow'));
  expect(begun).toEqual(['slow', 'other']);
});

test('one that cannot be made says why to all who wait, and one that is known is not made again', async () => {
  const it = collections();
  const why = 'It cannot be made.';
  await Promise.all([
    expect(it.makeSoon(model('broken'))).rejects.toThrow(why),
    expect(it.make(model('broken'))).rejects.toThrow(why),
  ]);
  // it counts as lost: what is missing in it is noted before it is made again
  await it.makeSoon(model('broken'));
  expect(begun).toEqual(['broken']);
});
