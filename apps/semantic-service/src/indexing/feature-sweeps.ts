import { type FeaturesReference, indexFeatures } from '@loci/contracts';
import { type Sweep, Sweeps } from '@loci/indexing';
import { semanticWorkerIndex } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { IndexStateRepository } from './index-state.repository.js';

/** Features without up to date vectors, and tombstones. */
@Injectable()
export class FeatureSweeps extends Sweeps<FeaturesReference> {
  override readonly all: readonly Sweep<FeaturesReference>[];

  constructor(state: IndexStateRepository) {
    super();
    this.all = [
      {
        type: indexFeatures,
        consumer: semanticWorkerIndex,
        take: (patienceMs, limit, tx) => state.takeOverdue(patienceMs, limit, tx),
      },
    ];
  }
}
