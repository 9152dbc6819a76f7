import { type SetName } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type OpenProject } from '../projects/project.js';
import { type MemorySet, toSet, valuesOf } from '../sets/set.js';

/** An import under way: the project stays open until the transaction ends. */
export interface Arrival {
  readonly tx: Transaction;
  readonly project: OpenProject;
}

/** What a set is called here. */
export const setOf = ({ tenant, uid }: OpenProject, { isOrgLevel, tags }: SetName): MemorySet =>
  toSet({ tenant, isOrgLevel, tags: valuesOf(Object.keys(tags), tags) }, uid);

/** Does a step for each item, one after the other. @returns how many of the steps changed something */
export async function countChanges<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<boolean>,
): Promise<number> {
  let changes = 0;
  for (const item of items) if (await step(item)) changes += 1;
  return changes;
}
