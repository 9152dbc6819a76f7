import { execute } from '@loci/persistence';
import { type EntityManager } from 'typeorm';
import { nameSkeleton } from './name-skeleton.js';
import { PROJECTS_WITHOUT_SKELETON } from './projects-without-skeleton.sql.js';
import { type RunStep } from './run-step.js';
import { SET_SKELETONS } from './set-skeletons.sql.js';

const BATCH_SIZE = 5_000;

/**
 * Gives a skeleton to every project that has none: it was made before there were any, or by a process of the version
 * before, while the processes of a deployment are replaced.
 */
export async function fillSkeletons(run: RunStep, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await run(fillSome)));
}

/** @returns whether there were any */
async function fillSome(manager: EntityManager): Promise<boolean> {
  const rows = await execute(manager, PROJECTS_WITHOUT_SKELETON, [BATCH_SIZE]);
  if (rows.length === 0) return false;
  await execute(manager, SET_SKELETONS, [
    rows.map(({ uid }) => uid),
    rows.map(({ org_id }) => nameSkeleton(org_id)),
    rows.map(({ project_id }) => nameSkeleton(project_id)),
  ]);
  return true;
}
