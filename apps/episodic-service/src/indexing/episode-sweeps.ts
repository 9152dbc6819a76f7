import { type EpisodesReference, indexEpisodes, purgeEpisodes } from '@loci/contracts';
import { type Sweep, Sweeps } from '@loci/indexing';
import { episodicWorkerIndex, episodicWorkerPurge, episodicWorkerReindex } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { IndexStateRepository } from './index-state.repository.js';

/** Episodes without vectors, and tombstones. */
@Injectable()
export class EpisodeSweeps extends Sweeps<EpisodesReference> {
  override readonly all: readonly Sweep<EpisodesReference>[];

  constructor(state: IndexStateRepository) {
    super();
    this.all = [
      {
        type: indexEpisodes,
        consumer: episodicWorkerReindex,
        others: [episodicWorkerIndex],
        take: (patienceMs, limit, tx) => state.takeOverdue(patienceMs, limit, tx),
      },
      {
        type: purgeEpisodes,
        consumer: episodicWorkerPurge,
        take: (patienceMs, limit, tx) => state.takeOverdueTombstones(patienceMs, limit, tx),
      },
    ];
  }
}
