import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { type IndexVersion } from '../index-versions/index-version.js';
import { ignoreMissing } from '../index-versions/index-versions.js';
import { ReembeddingsRepository } from './reembeddings.repository.js';

/** Removes the vectors of index versions that are not used any more. */
@Injectable()
export class RetiredIndexVersions {
  constructor(
    private readonly env: VectorServiceEnv,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly collections: VectorCollections,
  ) {}

  /** @returns whether there were any */
  async remove(signal: AbortSignal): Promise<boolean> {
    const removeVectors = (indexVersion: IndexVersion): Promise<void> =>
      this.collections.get(indexVersion).removeTenant(indexVersion.ownerUid).catch(ignoreMissing);
    let isAny = false;
    while (!signal.aborted && (await this.reembeddings.removeRetired(this.env.RETIREMENT_MS, removeVectors)))
      isAny = true;
    return isAny;
  }
}
