import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { VectorServiceEnv } from '../environment/vector-service-env.js';
import { type IndexSpace } from '../spaces/index-space.js';
import { ignoreMissing } from '../spaces/index-spaces.js';
import { MovesRepository } from './moves.repository.js';

/** Removes the vectors of spaces that nobody uses any more. */
@Injectable()
export class RetiredSpaces {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly moves: MovesRepository,
    private readonly collections: VectorCollections,
  ) {}

  async remove(signal: AbortSignal): Promise<void> {
    const removeVectors = (space: IndexSpace): Promise<void> =>
      this.collections.get(space).removeTenant(space.ownerUid).catch(ignoreMissing);
    while (!signal.aborted && (await this.moves.removeRetired(this.env.RETIREMENT_MS, removeVectors)));
  }
}
