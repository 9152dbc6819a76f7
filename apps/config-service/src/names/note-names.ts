import { type AccessBounds } from '@loci/contracts';
import { execute, ROWS_OF_ALL, scopedManager, type Transaction } from '@loci/persistence';
import { type EntityManager } from 'typeorm';
import { nameSkeleton } from './name-skeleton.js';
import { KEYS_NOT_NOTED, QUOTAS_NOT_NOTED, WEBHOOKS_NOT_NOTED } from './names-not-noted.sql.js';
import { NOTE_NAMES } from './note-names.sql.js';
import { type RunStep } from './run-step.js';

const BATCH_SIZE = 5_000;

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** What names are used in, and the key that is before all others. */
const USES = [
  { statement: KEYS_NOT_NOTED, first: FIRST_UUID },
  { statement: WEBHOOKS_NOT_NOTED, first: FIRST_UUID },
  { statement: QUOTAS_NOT_NOTED, first: '' },
] as const;

/** From the commit on, what looks like these names is found. */
export async function noteNames({ orgId, projectId }: AccessBounds, tx: Transaction): Promise<void> {
  if (orgId === undefined) return;
  const projects = projectId === undefined ? [''] : ['', projectId];
  await note(
    await scopedManager(tx, ROWS_OF_ALL),
    projects.map((project) => [orgId, project]),
  );
}

/**
 * Notes the names that are not noted: used before there was a table of them, or by a process of the version before, while the
 * processes of a deployment are replaced.
 */
export async function noteUsedNames(run: RunStep, signal?: AbortSignal): Promise<void> {
  for (const { statement, first } of USES) {
    let after: string | undefined = first;
    while (after !== undefined && !signal?.aborted) {
      const behind: string = after;
      after = await run((manager) => noteSome(manager, statement, behind));
    }
  }
}

/** @returns the key that the next ones are behind; undefined when there are none */
async function noteSome(
  manager: EntityManager,
  statement: (typeof USES)[number]['statement'],
  after: string,
): Promise<string | undefined> {
  const rows = await execute(manager, statement, [after, BATCH_SIZE]);
  await note(
    manager,
    rows.flatMap(({ org_id, project_id }) =>
      org_id === null || project_id === null ? [] : [[org_id, project_id]],
    ),
  );
  return rows[0]?.last;
}

async function note(manager: EntityManager, names: readonly (readonly [string, string])[]): Promise<void> {
  if (names.length === 0) return;
  await execute(manager, NOTE_NAMES, [
    names.map(([orgId]) => orgId),
    names.map(([, projectId]) => projectId),
    names.map(([orgId, projectId]) => nameSkeleton(projectId === '' ? orgId : projectId)),
  ]);
}
