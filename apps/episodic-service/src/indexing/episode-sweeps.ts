import { type EpisodesReference, indexEpisodes, purgeEpisodes } from '@loci/contracts';
import { type Sweep, Sweeps } from '@loci/indexing';
import { episodicWorkerIndex, episodicWorkerPurge, episodicWorkerReindex } from '@loci/messaging';
import { type Transaction } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { IndexStateRepository } from './index-state.repository.js';

/** Projects that share the half of one transaction's episodes that is not taken by age. */
const MOST_PROJECTS = 256;

/** Episodes without vectors, and tombstones. */
@Injectable()
export class EpisodeSweeps extends Sweeps<EpisodesReference> {
  override readonly all: readonly Sweep<EpisodesReference>[];

  /** The project up to which their turn has come. */
  private lastProject: string = NIL;

  constructor(private readonly state: IndexStateRepository) {
    super();
    this.all = [
      {
        type: indexEpisodes,
        consumer: episodicWorkerReindex,
        others: [episodicWorkerIndex],
        take: (patienceMs, limit, tx) => this.takeOfProjectsInTurn(patienceMs, limit, tx),
      },
      {
        type: purgeEpisodes,
        consumer: episodicWorkerPurge,
        take: (patienceMs, limit, tx) => state.takeOverdueTombstones(patienceMs, limit, tx),
      },
    ];
  }

  /** Half of what it takes is of every project with something that waits; where there are too many, the next call goes on with others. */
  private async takeOfProjectsInTurn(
    patienceMs: number,
    limit: number,
    tx: Transaction,
  ): Promise<EpisodesReference[]> {
    const most = Math.max(1, Math.min(MOST_PROJECTS, Math.floor(limit / 2)));
    const projects = await this.state.projectsWithWaiting(this.lastProject, most, tx);
    this.lastProject = projects.length < most ? NIL : (projects.at(-1) ?? NIL);
    return this.state.takeOverdue(patienceMs, { projects, limit }, tx);
  }
}
