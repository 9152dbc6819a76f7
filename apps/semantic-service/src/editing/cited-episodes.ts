import { notFound } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { describeInParts } from '../described-episodes.js';
import { type Citation, citationOf } from '../features/feature.js';
import { type OpenProject } from '../projects/project.js';

/** The episodes that a client cites, as the service that owns them knows them. */
@Injectable()
export class CitedEpisodes {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws AppError `memory_not_found` that names those that the project does not have */
  async describe({ tenant, uid: projectUid }: OpenProject, uids: readonly string[]): Promise<Citation[]> {
    if (uids.length === 0) return [];
    const asked = [...new Set(uids)];
    const known = new Map<string, Citation>();
    for await (const part of describeInParts(this.rpc, { tenant, uids: asked, withoutContent: true })) {
      for (const one of part) known.set(one.uid, citationOf({ ...one, episodeUid: one.uid, projectUid }));
    }
    const missing = asked.filter((uid) => !known.has(uid.toLowerCase()));
    if (missing.length > 0) {
      const message = 'Some of the cited episodes do not exist in the project; cite others, or none.';
      throw notFound('memory_not_found', message, { fields: { not_found: missing } });
    }
    return [...known.values()];
  }
}
