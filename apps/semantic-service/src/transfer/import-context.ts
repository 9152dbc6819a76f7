import {
  invalid,
  notFound,
  type OrganizationAccess,
  type SemanticParts,
  type SetName,
} from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { changeForbidden, type OpenProject } from '../projects/project.js';
import { readSetId } from '../sets/parse-set-id.js';
import { kindOfId } from '../sets/set-identity.js';
import { madeUpSet, type MemorySet, toSet, valuesOf } from '../sets/set.js';

/** An import under way: the project stays open until the transaction ends. */
export interface ImportContext {
  readonly tx: Transaction;
  readonly project: OpenProject;
  readonly sets: NamedSets;
  /** What the caller may do with what belongs to the organization as a whole. */
  readonly organization: OrganizationAccess;
}

/** The sets that an import names. An id is read once, however many lines name it: that takes some milliseconds at worst. */
export class NamedSets {
  private readonly byId = new Map<string, MemorySet>();

  constructor(private readonly project: OpenProject) {}

  /** @throws as `setOf` */
  of(name: SetName): MemorySet {
    if (name.id === undefined) return setOf(this.project, name);
    const set = this.byId.get(name.id) ?? setOf(this.project, name);
    this.byId.set(name.id, set);
    return set;
  }
}

/**
 * What a set is called here. One under an id that a client made up keeps that id, as a set of the project.
 * @throws AppError `invalid_request` for an id that no client of the project can make up
 */
function setOf({ tenant, uid }: OpenProject, { isOrgLevel, tags, id }: SetName): MemorySet {
  if (id === undefined) return toSet({ tenant, isOrgLevel, tags: valuesOf(Object.keys(tags), tags) }, uid);
  const kind = kindOfId(id);
  const read = readSetId(id, tenant, []);
  if (kind && read.kind === 'made_up') return madeUpSet({ orgId: tenant.orgId, projectUid: uid }, kind, id);
  if (read.kind === 'identity' && !read.identity.isOrgLevel) return toSet(read.identity, uid);
  const msg = 'This is no id that a client can make up for a set of this project';
  throw invalid('invalid_request', [{ loc: ['body', 'set', 'id'], msg, type: 'value_error' }]);
}

/** @throws AppError `set_not_found`, `forbidden` when the parts are not all for the caller to change */
export function refuseForeignParts(
  { setTypes, templates, sets, categories, features }: SemanticParts,
  organization: OrganizationAccess,
): void {
  const levels = [
    ...[...setTypes, ...sets].map(({ isOrgLevel }) => isOrgLevel),
    ...templates.map(({ setType }) => setType.isOrgLevel),
    ...[...categories, ...features].map(({ set }) => set.isOrgLevel),
  ];
  if (organization === 'change' || !levels.includes(true)) return;
  if (organization === 'read') throw changeForbidden();
  const message =
    'What belongs to the organization as a whole does not exist for a key of one project; leave out the lines with is_org_level, or use a key of the organization.';
  throw notFound('set_not_found', message);
}

/** Does a step for each item, one after the other. @returns how many of the steps changed something */
export async function countChanges<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<boolean>,
): Promise<number> {
  let changes = 0;
  for (const item of items) if (await step(item)) changes += 1;
  return changes;
}
