import { setsConfigured } from '@loci/contracts';
import { MoveKeeper } from '@loci/indexing';
import { ConsumerRunner, semanticWorkerConfigure } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Hears of sets that chose other models: their move begins. */
@Injectable()
export class ConfiguredSets implements OnApplicationBootstrap {
  constructor(
    private readonly runner: ConsumerRunner,
    private readonly moves: MoveKeeper,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.run(semanticWorkerConfigure, setsConfigured, () => {
      this.moves.planSoon();
      return Promise.resolve();
    });
  }
}
