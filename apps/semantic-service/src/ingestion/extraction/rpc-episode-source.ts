import {
  type DescribedEpisode,
  isTooLarge,
  precedingEpisodes,
  type Tenant,
  tenantName,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { describeInParts } from '../../described-episodes.js';
import { citedMetadata } from '../../features/cited-metadata.js';
import { EARLIER_CHARS, EARLIER_MESSAGES } from './earlier-messages.js';
import { EpisodeSource } from './episode-source.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { type WaitingMessage } from './waiting-message.js';

/** Asks the service that owns the episodes. */
@Injectable()
export class RpcEpisodeSource extends EpisodeSource {
  constructor(private readonly rpc: RpcClient) {
    super();
  }

  override async read(messages: readonly WaitingMessage[]): Promise<IngestionEpisode[]> {
    const found = new Map<string, IngestionEpisode>();
    for (const [first, ...rest] of byTenant(messages)) {
      const uids = [first, ...rest].map(({ episodeUid }) => episodeUid);
      for await (const part of describeInParts(this.rpc, { tenant: first.tenant, uids })) {
        for (const { uid: episodeUid, ...episode } of part) {
          const metadata = citedMetadata(episode.metadata);
          found.set(episodeUid, { ...episode, metadata, episodeUid, projectUid: first.projectUid });
        }
      }
    }
    return messages.flatMap(({ episodeUid }) => found.get(episodeUid) ?? []);
  }

  override async before(messages: readonly WaitingMessage[]): Promise<IngestionEpisode[]> {
    const found: IngestionEpisode[] = [];
    for (const [first, ...rest] of byTenant(messages)) {
      const uids = [first, ...rest].map(({ episodeUid }) => episodeUid);
      for (const { uid: episodeUid, ...episode } of await this.preceding(first.tenant, uids)) {
        found.push({ ...episode, episodeUid, projectUid: first.projectUid });
      }
    }
    return found;
  }

  /** Messages are understood without what came before where that, with all its metadata, is more than an answer holds. */
  private async preceding(tenant: Tenant, uids: readonly string[]): Promise<readonly DescribedEpisode[]> {
    const request = { tenant, uids, limit: EARLIER_MESSAGES, maxChars: EARLIER_CHARS };
    try {
      return (await this.rpc.call(precedingEpisodes, request)).episodes;
    } catch (error) {
      if (isTooLarge(error)) return [];
      throw error;
    }
  }
}

function byTenant(messages: readonly WaitingMessage[]): [WaitingMessage, ...WaitingMessage[]][] {
  const groups = new Map<string, [WaitingMessage, ...WaitingMessage[]]>();
  for (const message of messages) {
    const group = groups.get(tenantName(message.tenant));
    if (group) group.push(message);
    else groups.set(tenantName(message.tenant), [message]);
  }
  return [...groups.values()];
}
