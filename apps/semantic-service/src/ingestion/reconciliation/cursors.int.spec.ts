import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WorkLeases } from '@loci/persistence';
import { SemanticSpec } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { CursorsRepository, type NextStep } from './cursors.repository.js';

const RETRY = { retryMs: 0 };

let spec: SemanticSpec;
let leases: WorkLeases;
let cursors: CursorsRepository;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  leases = new WorkLeases({ schema: SCHEMA }, spec.unitOfWork);
  cursors = new CursorsRepository(spec.unitOfWork, leases, spec.logger);
});

afterAll(() => spec.close());

const step = (name: string): Promise<boolean> =>
  cursors.step(name, RETRY, (): Promise<NextStep> => Promise.resolve({ position: ['a', 'b'], pauseMs: 0 }));

/** Another step may be taken now. */
const due = (): Promise<unknown> => spec.query(`UPDATE ${SCHEMA}.ingestion_cursors SET next_at = now()`);

test('a step that ended its process three times is not taken until a person asks; other comparisons go on', async () => {
  for (let deaths = 0; deaths < 3; deaths += 1) {
    expect(await leases.claim('reconciliation', 'deadly', -1)).toBeDefined();
  }
  expect(await step('deadly')).toBe(false);
  expect(await step('other')).toBe(true);
  await leases.retry('reconciliation', 'deadly');
  await due();
  expect(await step('deadly')).toBe(true);
});

test('a step that fails is taken again', async () => {
  for (let failures = 0; failures < 4; failures += 1) {
    const failing = cursors.step('failing', RETRY, () => Promise.reject(new Error('It failed.')));
    await expect(failing).rejects.toThrow('It failed.');
  }
  expect(await step('failing')).toBe(true);
});

test('a step that ends after another replica has taken it sets nothing back', async () => {
  const further = ['b', ''];
  await cursors.step('slow', RETRY, async () => {
    await spec.query(`UPDATE ${SCHEMA}.ingestion_cursors SET position = $1 WHERE name = 'slow'`, [further]);
    return { position: ['a', ''], pauseMs: 0 };
  });
  expect(await spec.query(`SELECT position FROM ${SCHEMA}.ingestion_cursors WHERE name = 'slow'`)).toEqual([
    { position: further },
  ]);
});
