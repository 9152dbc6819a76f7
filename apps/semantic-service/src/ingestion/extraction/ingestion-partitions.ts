import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Partition, samePartition } from '../../features/partition.js';
import { type Claim } from '../jobs/job.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { isTrustedProducer } from '../../projects/trusted-producers.js';
import { type IngestionEpisode } from './ingestion-episode.js';

/** What messages belong to changed while the model read them: they are read again. */
export class PartitionChangedError extends Error {
  override readonly name = 'PartitionChangedError';

  constructor() {
    super('The trusted producers of a project changed while messages of it were with the model.');
  }
}

/** Messages that one call may read together: they are of one project in a set of an organization, and of one trust. */
export interface PartitionedMessages {
  readonly partition: Partition;
  readonly episodes: readonly IngestionEpisode[];
}

/** Which partition of a set messages belong to, by their project and producer, as projects are configured now. */
@Injectable()
export class IngestionPartitions {
  constructor(private readonly projects: ProjectsRepository) {}

  /** The first message, and those of the others that belong to the same partition; undefined without messages. */
  async first(claim: Claim, episodes: readonly IngestionEpisode[]): Promise<PartitionedMessages | undefined> {
    const partitions = await this.of(claim, episodes);
    const [partition] = partitions;
    if (!partition) return undefined;
    const isSame = (one: Partition | undefined): boolean =>
      one !== undefined && samePartition(one, partition);
    return { partition, episodes: episodes.filter((_, index) => isSame(partitions[index])) };
  }

  /** To be asked once the projects of the messages are locked. @throws PartitionChangedError */
  async confirm(claim: Claim, { partition, episodes }: PartitionedMessages, tx: Transaction): Promise<void> {
    const partitions = await this.of(claim, episodes, tx);
    if (!partitions.every((one) => samePartition(one, partition))) throw new PartitionChangedError();
  }

  private async of(
    claim: Claim,
    episodes: readonly IngestionEpisode[],
    tx?: Transaction,
  ): Promise<Partition[]> {
    const projectUids = [...new Set(episodes.map(({ projectUid }) => projectUid))];
    const trusted = await this.projects.trustedProducers(claim, projectUids, tx);
    return episodes.map(({ projectUid, producerId }) => ({
      sourceProjectUid: claim.projectUid === undefined ? projectUid : undefined,
      isTrusted: isTrustedProducer(trusted.get(projectUid) ?? [], producerId),
    }));
  }
}
