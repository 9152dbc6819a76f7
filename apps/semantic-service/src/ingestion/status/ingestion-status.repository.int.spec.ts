import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { instantFromDate } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ADDED_FIRST, SemanticSpec } from '../../../test/semantic-spec.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { type OpenProject, scopeOf } from '../../projects/project.js';
import { type MemorySet } from '../../sets/set.js';
import { type StatusQuery, IngestionStatusRepository } from './ingestion-status.repository.js';

const ALL: StatusQuery = { waitingOnly: false, state: undefined, offset: 0, limit: 9 };
const TRIGGERS = { messages: 1_000, ageSeconds: 1_000 };

let spec: SemanticSpec;
let statuses: IngestionStatusRepository;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  statuses = new IngestionStatusRepository(spec.unitOfWork);
});

afterAll(() => spec.close());

/** A message of the project comes into the set. */
const say = (project: OpenProject, set: MemorySet, receivedAt: Date): Promise<unknown> =>
  spec.unitOfWork.run((tx) =>
    new BacklogRepository(spec.unitOfWork).take(
      [
        {
          uid: uuidv7(),
          tenant: project.tenant,
          projectUid: project.uid,
          receivedAt,
          causes: [],
          saidAt: ADDED_FIRST,
          addedAt: ADDED_FIRST,
          sets: [{ uid: set.uid, isOrgLevel: set.projectUid === undefined }],
        },
      ],
      { triggers: TRIGGERS, taking: 'now' },
      tx,
    ),
  );

test('of a set that projects share, each is told since when its own messages wait', async () => {
  const orgId = uuidv7();
  const [main, next, quiet] = [
    await spec.newProject({ orgId, projectId: 'main' }),
    await spec.newProject({ orgId, projectId: 'next' }),
    await spec.newProject({ orgId, projectId: 'quiet' }),
  ];
  const shared = await spec.newSet(main, { isOrgLevel: true });
  const own = await spec.newSet(main);
  const [first, second] = [new Date('2026-01-01T00:00:01Z'), new Date('2026-01-01T00:00:02Z')];
  await say(main, shared, first);
  await say(main, own, second);
  await say(next, shared, second);
  const listFor = async (project: OpenProject): Promise<object[]> => {
    const { jobs, total } = await statuses.list(scopeOf(project, 'read'), ALL);
    expect(total).toBe(jobs.length);
    return jobs.map(({ setId, waiting, oldestAt }) => ({ setId, waiting, oldestAt }));
  };
  const ofShared = { setId: shared.id, waiting: 2 };
  expect(await listFor(main)).toEqual(
    expect.arrayContaining([
      { ...ofShared, oldestAt: instantFromDate(first) },
      { setId: own.id, waiting: 1, oldestAt: instantFromDate(second) },
    ]),
  );
  expect(await listFor(next)).toEqual([{ ...ofShared, oldestAt: instantFromDate(second) }]);
  expect(await listFor(quiet)).toEqual([{ ...ofShared, oldestAt: undefined }]);
});
