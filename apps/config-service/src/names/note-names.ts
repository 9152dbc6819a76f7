import { type AccessBounds } from '@loci/contracts';
import { execute, ROWS_OF_ALL, scopedManager, type Transaction } from '@loci/persistence';
import { type EntityManager } from 'typeorm';
import { nameSkeleton } from './name-skeleton.js';
import { NAMES_NOT_NOTED } from './names-not-noted.sql.js';
import { NOTE_NAMES } from './note-names.sql.js';

const BATCH_SIZE = 5_000;

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
 * @param manager on a connection that sees the rows of all tenants; of a migration, too, which knows no entities
 */
export async function noteUsedNames(manager: EntityManager): Promise<void> {
  for (;;) {
    const rows = await execute(manager, NAMES_NOT_NOTED, [BATCH_SIZE]);
    if (rows.length === 0) return;
    await note(
      manager,
      rows.map(({ org_id, project_id }) => [org_id, project_id]),
    );
  }
}

async function note(manager: EntityManager, names: readonly (readonly [string, string])[]): Promise<void> {
  await execute(manager, NOTE_NAMES, [
    names.map(([orgId]) => orgId),
    names.map(([, projectId]) => projectId),
    names.map(([orgId, projectId]) => nameSkeleton(projectId === '' ? orgId : projectId)),
  ]);
}
