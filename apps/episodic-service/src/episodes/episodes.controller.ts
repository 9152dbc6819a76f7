import {
  countEpisodes,
  type DescribedEpisodes,
  describeEpisodes,
  type DescribeEpisodesRequest,
  type EpisodeCount,
  type EpisodeGroups,
  type FollowedEpisodes,
  followEpisodes,
  type FollowEpisodesRequest,
  groupEpisodes,
  type GroupEpisodesRequest,
  listEpisodes,
  type ListEpisodesRequest,
  type ListEpisodesResponse,
  type PrecedingEpisodes,
  precedingEpisodes,
  type PrecedingEpisodesRequest,
  type ProjectRequest,
  type RemovedEpisodes,
  removeEpisodes,
  type RemoveEpisodesRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { costOfCounting, costOfPage } from '@loci/platform';
import { Controller } from '@nestjs/common';
import { EpisodesService } from './episodes.service.js';

@Controller()
export class EpisodesController {
  constructor(private readonly episodes: EpisodesService) {}

  @Handle(listEpisodes, { inTurn: costOfPage })
  list(request: ListEpisodesRequest): Promise<ListEpisodesResponse> {
    return this.episodes.list(request);
  }

  @Handle(countEpisodes)
  count({ tenant }: ProjectRequest): Promise<EpisodeCount> {
    return this.episodes.count(tenant);
  }

  @Handle(groupEpisodes, { inTurn: costOfCounting })
  group(request: GroupEpisodesRequest): Promise<EpisodeGroups> {
    return this.episodes.group(request);
  }

  @Handle(describeEpisodes)
  async describe(request: DescribeEpisodesRequest): Promise<DescribedEpisodes> {
    return { episodes: await this.episodes.describe(request) };
  }

  @Handle(precedingEpisodes)
  async preceding(request: PrecedingEpisodesRequest): Promise<PrecedingEpisodes> {
    return { episodes: await this.episodes.preceding(request) };
  }

  @Handle(followEpisodes)
  async follow(request: FollowEpisodesRequest): Promise<FollowedEpisodes> {
    return { episodes: await this.episodes.follow(request) };
  }

  @Handle(removeEpisodes)
  remove(request: RemoveEpisodesRequest): Promise<RemovedEpisodes> {
    return this.episodes.remove(request);
  }
}
