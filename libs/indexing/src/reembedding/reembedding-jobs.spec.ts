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
  const planner = {
    plan: (_: AbortSignal, share: string) => {
      plans.push(share);
      failures -= 1;
      return failures < 0 ? Promise.resolve(true) : Promise.reject(new Error('spec'));
    },
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

test('owners that chose another embedder are found by a look at all, whatever changed besides', async () => {
  jobs.planSoon();
  changeRegistry();
  await planned('all', 'all');
});

test('a plan that failed is made again', async () => {
  failures = 1;
  changeRegistry();
  await planned('all', 'some', 'some');
});
