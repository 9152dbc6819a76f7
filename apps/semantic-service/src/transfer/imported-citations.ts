import { locateEpisodes, MAX_EPISODES_PER_IMPORT } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type Citation } from '../features/feature.js';
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
    const asked = [...new Set(sourceUids)];
    const located = new Map<string, Citation>();
    for (let start = 0; start < asked.length; start += MAX_EPISODES_PER_IMPORT) {
      const some = asked.slice(start, start + MAX_EPISODES_PER_IMPORT);
      const { episodes } = await this.rpc.call(locateEpisodes, { tenant, sourceUids: some });
      for (const { sourceUid, uid: episodeUid, ...facts } of episodes) {
        located.set(sourceUid, { ...facts, episodeUid, projectUid });
      }
    }
    return located;
  }
}
