import { AppError } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { type IndexSpace } from '../spaces/index-space.js';
import { MovesRepository } from '../spaces/moves.repository.js';
import { VectorCollections } from '../vectors/vector-collections.js';

/** Removes the vectors of spaces that nobody uses any more. */
@Injectable()
export class RetiredSpaces {
  constructor(
    private readonly env: EpisodicServiceEnv,
    private readonly moves: MovesRepository,
    private readonly collections: VectorCollections,
  ) {}

  async remove(signal: AbortSignal): Promise<void> {
    const removeVectors = (space: IndexSpace): Promise<void> => this.removeVectors(space);
    while (!signal.aborted && (await this.moves.removeRetired(this.env.RETIREMENT_MS, removeVectors)));
  }

  private async removeVectors(space: IndexSpace): Promise<void> {
    try {
      await this.collections.get(space).removeTenant(space.projectUid);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'vector_index_missing') throw error;
    }
  }
}
