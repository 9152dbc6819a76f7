import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RecordingLogger } from '@loci/testing';
import { SemanticServiceEnv } from '../../env.js';
import { type Taking } from '../backlog/backlog.js';
import { type IntakeService } from '../intake/intake.service.js';
import { type CursorsRepository } from './cursors.repository.js';
import { type LearnedMessages } from './learned-messages.js';
import { type MissedEpisodes } from './missed-episodes.js';
import { ReconciliationTasks } from './reconciliation-tasks.js';
import { type VanishedEpisodes } from './vanished-episodes.js';

const INTERVAL_MS = 5_000;

let looks: number;
let hear: (taking: Taking) => void;
let tasks: ReconciliationTasks;

const nothing = (): Promise<boolean> => Promise.resolve(false);

beforeEach(async () => {
  jest.useFakeTimers();
  looks = 0;
  tasks = new ReconciliationTasks(
    { stop: () => Promise.resolve() } as unknown as CursorsRepository,
    { onTaken: (listener: typeof hear) => (hear = listener) } as unknown as IntakeService,
    {
      find: () => {
        looks += 1;
        return nothing();
      },
    } as unknown as MissedEpisodes,
    { find: nothing } as unknown as VanishedEpisodes,
    { remove: nothing } as unknown as LearnedMessages,
    Object.assign(new SemanticServiceEnv(), { SWEEP_INTERVAL_MS: INTERVAL_MS }),
    new RecordingLogger(),
  );
  tasks.onApplicationBootstrap();
  // it has found nothing for long, and looks at 96 and 102 times the interval
  await jest.advanceTimersByTimeAsync(97 * INTERVAL_MS);
  looks = 0;
});

afterEach(async () => {
  await tasks.onModuleDestroy();
  jest.useRealTimers();
});

/** Looks within two intervals. */
async function soon(): Promise<number> {
  await jest.advanceTimersByTimeAsync(2 * INTERVAL_MS);
  return looks;
}

test('what was put off is looked for soon, although nothing was found for long', async () => {
  hear('later');
  expect(await soon()).toBeGreaterThan(0);
});

test.each<Taking>(['now', 'again'])('what is taken in %s is not looked for', async (taking) => {
  hear(taking);
  expect(await soon()).toBe(0);
});
