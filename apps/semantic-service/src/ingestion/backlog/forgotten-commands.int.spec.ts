import { expect, test } from '@jest/globals';
import { eventually } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { useFreshSets } from '../../../test/fresh-sets.js';
import { ADDED_FIRST, type SemanticSpec } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { type Claim } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { MessagesRepository } from '../extraction/messages.repository.js';
import { type OpenProject } from '../../projects/project.js';
import { FORGOTTEN_REASON } from './forget-commands.sql.js';

let spec: SemanticSpec;
let project: OpenProject;

useFreshSets((fresh) => {
  ({ spec, project } = fresh);
});

test('what a batch drew from messages of a project that is erased while it is being written is forgotten, too', async () => {
  const other = await spec.newProject({ ...project.tenant, projectId: uuidv7() });
  const set = await spec.newSet(project, { isOrgLevel: true });
  const incoming = [project, other].map(({ tenant, uid: projectUid }) => ({
    ...{ uid: uuidv7(), tenant, projectUid, saidAt: ADDED_FIRST, addedAt: ADDED_FIRST },
    ...{ receivedAt: new Date(), causes: [], sets: [{ uid: set.uid, isOrgLevel: true }] },
  }));
  const triggers = { messages: 1, ageSeconds: 1 };
  await spec.unitOfWork.run((tx) => spec.backlog.take(incoming, { triggers, taking: 'now' }, tx));
  const jobs = new JobsRepository(spec.unitOfWork);
  const messages = new MessagesRepository(spec.unitOfWork);
  const taken = await jobs.claim(60_000);
  if (!taken) throw new Error('nothing was due');
  const claim: Claim = taken;
  const read = incoming.map(({ uid }) => uid);
  const refused = [{ tag: 't', feature: 'Rome', reason: 'r' }];
  let erasure: Promise<void> | undefined;
  await spec.unitOfWork.run(async (tx) => {
    await jobs.fence(claim, tx);
    await messages.markIngested(claim, { category: 'c', refused }, { read, gone: [] }, tx);
    erasure = spec.backlog.forgetProject(project.uid);
    await eventually(() => spec.isBlocked(), { what: 'the erasure waits' });
  });
  await erasure;
  expect(
    await spec.query(`SELECT reason, commands FROM ${SCHEMA}.ingestion_dead_letters WHERE set_uid = $1`, [
      set.uid,
    ]),
  ).toEqual([{ reason: FORGOTTEN_REASON, commands: null }]);
});
