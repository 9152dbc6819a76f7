import { describeEpisodes, tenantName } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { EpisodeSource } from './episode-source.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { type WaitingMessage } from './messages.repository.js';

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
      const { episodes } = await this.rpc.call(describeEpisodes, { tenant: first.tenant, uids });
      for (const { uid: episodeUid, ...episode } of episodes) {
        found.set(episodeUid, { ...episode, episodeUid, projectUid: first.projectUid });
      }
    }
    return messages.flatMap(({ episodeUid }) => found.get(episodeUid) ?? []);
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
