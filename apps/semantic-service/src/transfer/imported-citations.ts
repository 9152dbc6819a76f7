import { locateEpisodes, MAX_EPISODES_PER_IMPORT } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type Citation, citationOf } from '../features/feature.js';
import { type OpenProject } from '../projects/project.js';

/** The episodes that imported features cite, as the service that owns them knows them. */
@Injectable()
export class ImportedCitations {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns by source uid those that are in the project */
  async locate(
    { tenant, uid: projectUid }: OpenProject,
    sourceUids: readonly string[],
  ): Promise<ReadonlyMap<string, Citation>> {
    const located = new Map<string, Citation>();
    for (const some of inParts([...new Set(sourceUids)], MAX_EPISODES_PER_IMPORT)) {
      const { episodes } = await this.rpc.call(locateEpisodes, { tenant, sourceUids: some });
      for (const { sourceUid, uid: episodeUid, ...facts } of episodes) {
        located.set(sourceUid, citationOf({ ...facts, episodeUid, projectUid }));
      }
    }
    return located;
  }
}
