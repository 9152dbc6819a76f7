import { type Transaction } from '@loci/persistence';
import { type Owner } from '../projects/project.js';
import { type Citation } from './feature.js';
import { type FeaturesRepository } from './features.repository.js';

interface Sources {
  readonly features: Pick<FeaturesRepository, 'deletedAmong'>;
  /** Keeps the projects of citations open until the transaction ends. @returns those that are open */
  keepCitedOpen(tx: Transaction, owner: Owner, citations: readonly Citation[]): Promise<ReadonlySet<string>>;
}

/**
 * Which citations may be written: their projects stay open, and they are not deleted, until the transaction ends.
 * @param owner of the features that cite
 * @returns tells it of each of these citations
 */
export async function usableCitations(
  citations: readonly Citation[],
  owner: Owner,
  sources: Sources,
  tx: Transaction,
): Promise<(citation: Citation) => boolean> {
  if (citations.length === 0) return () => false;
  const open = await sources.keepCitedOpen(tx, owner, citations);
  const deleted = await sources.features.deletedAmong(
    owner,
    citations.map(({ episodeUid }) => episodeUid),
    tx,
  );
  return ({ projectUid, episodeUid, addedAt }) => {
    const deletedUntil = deleted.get(episodeUid);
    const isThere = !deletedUntil || (addedAt !== undefined && addedAt > deletedUntil);
    return open.has(projectUid) && isThere;
  };
}
