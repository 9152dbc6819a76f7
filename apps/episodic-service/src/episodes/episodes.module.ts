import { Module } from '@nestjs/common';
import { MemoryModule } from '../memory/memory.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { EpisodeCounts } from './episode-counts.js';
import { EpisodeFeed } from './episode-feed.js';
import { EpisodeGroups } from './episode-groups.js';
import { EpisodeRemoval } from './episode-removal.js';
import { EpisodesRepository } from './episodes.repository.js';
import { EpisodesService } from './episodes.service.js';

@Module({
  imports: [ProjectsModule, MemoryModule],
  providers: [EpisodesService, EpisodeCounts, EpisodeFeed, EpisodeGroups, EpisodesRepository, EpisodeRemoval],
  exports: [EpisodesService, EpisodeCounts, EpisodesRepository, EpisodeRemoval],
})
export class EpisodesModule {}
