import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Registry } from '@loci/registry';
import { eventually, RecordingLogger } from '@loci/testing';
import { type VectorServiceEnv } from '../service-start/vector-service-env.js';
import { type IndexVersionBuilder } from './index-version-builder.js';
import { ReembeddingJobs } from './reembedding-jobs.js';
import { type ReembeddingPlanner } from './reembedding-planner.js';
import { type RetiredIndexVersions } from './retired-index-versions.js';

let plans: string[];
/** How many of the next plans fail. */
let failures: number;
let changeRegistry: () => void;
let jobs: ReembeddingJobs;
/** Whether each embedder that owners chose is heard of. */
let isHeard: boolean;

const planned = (...shares: string[]): Promise<unknown> =>
  eventually(
    () => {
      expect(plans).toEqual(shares);
      return true;
    },
    { what: 'the plans' },
  );

beforeEach(async () => {
  plans = [];
  failures = 0;
  isHeard = true;
  const note = (plan: string, isComplete: boolean): Promise<boolean> => {
    plans.push(plan);
    failures -= 1;
    return failures < 0 ? Promise.resolve(isComplete) : Promise.reject(new Error('spec'));
  };
  const planner = {
    plan: (_: AbortSignal, share: string) => note(share, true),
    planFor: (owners: readonly string[]) => note(`for ${owners.join(' and ')}`, isHeard),
  };
  const registry = {
    onChange: (listener: () => void) => {
      changeRegistry = listener;
    },
  };
  const nothing = () => Promise.resolve();
  jobs = new ReembeddingJobs(
    { SWEEP_INTERVAL_MS: 5, RECONCILE_CHECK_INTERVAL_MS: 3_600_000 } as VectorServiceEnv,
    planner as unknown as ReembeddingPlanner,
    { build: nothing, stop: nothing } as unknown as IndexVersionBuilder,
    { remove: nothing } as unknown as RetiredIndexVersions,
    registry as unknown as Registry,
    new RecordingLogger(),
  );
  jobs.onApplicationBootstrap();
  await planned('all');
});

afterEach(() => jobs.onModuleDestroy());

test('a change of the registry has the planner decide whether it concerns all owners', async () => {
  changeRegistry();
  await planned('all', 'some');
});

test('owners that chose another embedder are looked at by themselves, whatever changed besides', async () => {
  jobs.planSoon(['a', 'b']);
  jobs.planSoon(['a']);
  await planned('all', 'for a and b');
  jobs.planSoon(['c']);
  changeRegistry();
  await planned('all', 'for a and b', 'for c', 'some');
});

test('when very many chose at once, all owners are looked at', async () => {
  jobs.planSoon(Array.from({ length: 501 }, (_, n) => String(n)));
  await planned('all', 'all');
  jobs.planSoon(['a']);
  await planned('all', 'all', 'for a');
});

test('owners are looked at again when that failed, and until their embedder is heard of', async () => {
  failures = 1;
  isHeard = false;
  jobs.planSoon(['a']);
  await eventually(() => plans.length > 3, { what: 'further looks' });
  isHeard = true;
  expect(new Set(plans.slice(1))).toEqual(new Set(['for a']));
  jobs.planSoon(['b']);
  await eventually(() => plans.at(-1)?.endsWith('b') ?? false, { what: 'the last look at both' });
  jobs.planSoon(['c']);
  await eventually(() => plans.at(-1) === 'for c', { what: 'a look at the next one alone' });
});

test('a plan that failed is made again', async () => {
  failures = 1;
  changeRegistry();
  await planned('all', 'some', 'some');
});
