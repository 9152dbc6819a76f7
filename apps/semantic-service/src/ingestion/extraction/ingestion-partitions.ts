import { isTrustedProducer } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type Partition, samePartition } from '../../features/partition.js';
import { type Claim } from '../jobs/job.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
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
  /** Whether the facts of their projects have subjects. */
  readonly hasSubjects: boolean;
  readonly episodes: readonly IngestionEpisode[];
}

/** Which partition of a set messages belong to, by their project and producer, as projects are configured now. */
@Injectable()
export class IngestionPartitions {
  constructor(private readonly projects: ProjectsRepository) {}

  /** The first message, and those of the others that belong to the same partition; undefined without messages. */
  async first(claim: Claim, episodes: readonly IngestionEpisode[]): Promise<PartitionedMessages | undefined> {
    const found = await this.of(claim, episodes);
    const [first] = found;
    if (!first) return undefined;
    const isSame = (one: FoundPartition | undefined): boolean => one !== undefined && areSame(one, first);
    return { ...first, episodes: episodes.filter((_, index) => isSame(found[index])) };
  }

  /** Those of some messages that belong to the same partition, and so may be shown with the others. */
  async sharing(
    claim: Claim,
    messages: PartitionedMessages,
    others: readonly IngestionEpisode[],
  ): Promise<IngestionEpisode[]> {
    const found = await this.of(claim, others);
    return others.filter((_, index) => {
      const one = found[index];
      return one !== undefined && areSame(one, messages);
    });
  }

  /** To be asked once the projects of the messages are locked. @throws PartitionChangedError */
  async confirm(claim: Claim, messages: PartitionedMessages, tx: Transaction): Promise<void> {
    const found = await this.of(claim, messages.episodes, tx);
    if (!found.every((one) => areSame(one, messages))) throw new PartitionChangedError();
  }

  private async of(
    claim: Claim,
    episodes: readonly IngestionEpisode[],
    tx?: Transaction,
  ): Promise<FoundPartition[]> {
    if (episodes.length === 0) return [];
    const projectUids = [...new Set(episodes.map(({ projectUid }) => projectUid))];
    const settings = await this.projects.learningSettings(claim, projectUids, tx);
    return episodes.map(({ projectUid, producerId }) => {
      const { trustedProducers = [], factsOf } = settings.get(projectUid) ?? {};
      return {
        partition: {
          sourceProjectUid: claim.projectUid === undefined ? projectUid : undefined,
          isTrusted: isTrustedProducer(trustedProducers, producerId),
        },
        hasSubjects: factsOf === 'users',
      };
    });
  }
}

type FoundPartition = Omit<PartitionedMessages, 'episodes'>;

const areSame = (a: FoundPartition, b: FoundPartition): boolean =>
  samePartition(a.partition, b.partition) && a.hasSubjects === b.hasSubjects;
