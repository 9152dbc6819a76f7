import { type EpisodesReference } from '@loci/contracts';
import { inParts } from '@loci/platform';

/** Episodes named by one message of what is handed on. */
const NAMED_BY_ONE = 64;

export interface Shares {
  /** The first of each organization. */
  readonly now: readonly EpisodesReference[];
  /** What is beyond, by project. */
  readonly later: readonly EpisodesReference[];
}

/** Parts what is to be indexed, so that who added few episodes does not wait for all of those who added many. @param most of an organization */
export function inShares(references: readonly EpisodesReference[], most: number): Shares {
  const taken = new Map<string, number>();
  const now: EpisodesReference[] = [];
  const later = new Map<string, EpisodesReference>();
  for (const { tenant, projectUid, uids } of references) {
    const before = taken.get(tenant.orgId) ?? 0;
    const [first, rest] = [uids.slice(0, most - before), uids.slice(most - before)];
    taken.set(tenant.orgId, before + first.length);
    if (first.length > 0) now.push({ tenant, projectUid, uids: first });
    if (rest.length === 0) continue;
    const beyond = later.get(projectUid)?.uids ?? [];
    later.set(projectUid, { tenant, projectUid, uids: [...beyond, ...rest] });
  }
  return { now, later: [...later.values()].flatMap(inMessages) };
}

const inMessages = ({ uids, ...project }: EpisodesReference): EpisodesReference[] =>
  inParts(uids, NAMED_BY_ONE).map((some) => ({ ...project, uids: some }));
