import { beforeEach, expect, test } from '@jest/globals';
import { type WorkLeases } from '@loci/persistence';
import { RecordingLogger } from '@loci/testing';
import { type VectorCollections } from '../collections/vector-collections.js';
import { type IndexMarksRepository } from '../content/index-marks.repository.js';
import { type IndexVersionsRepository } from '../index-versions/index-versions.repository.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexReconciler } from './index-reconciler.js';

let compared: string[];
let setAside: string[];
let busy: string[];

beforeEach(() => {
  compared = [];
  setAside = [];
  busy = [];
});

const open = (): IndexReconciler => {
  const collections = ['one', 'two'].map((fingerprint) => ({ fingerprint, dimensions: 4 }));
  const vectors = {
    get: ({ fingerprint }: { fingerprint: string }) => ({
      exists: () => Promise.resolve(compared.push(fingerprint) === 0),
    }),
  } as unknown as VectorCollections;
  const leases = {
    claim: (kind: string, key: string) =>
      Promise.resolve(
        [...setAside, ...busy].includes(key) ? undefined : { kind, key, token: '1', unfinished: 0 },
      ),
    end: () => Promise.resolve(),
    isSetAside: (_: string, key: string) => Promise.resolve(setAside.includes(key)),
  } as unknown as WorkLeases;
  return new IndexReconciler(
    {} as IndexMarksRepository,
    { collections: () => Promise.resolve(collections) } as unknown as IndexVersionsRepository,
    vectors,
    leases,
    new VectorServiceEnv(),
    new RecordingLogger(),
  );
};

const reconcile = (): Promise<boolean> => open().reconcile(new AbortController().signal);

test('a collection whose comparison was set aside is left out; the others are compared', async () => {
  setAside = ['one'];
  expect(await reconcile()).toBe(true);
  expect(compared).toEqual(['two']);
});

test('a collection that another worker compares is compared later', async () => {
  busy = ['two'];
  expect(await reconcile()).toBe(false);
  expect(compared).toEqual(['one']);
});
