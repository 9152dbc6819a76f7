import { Module } from '@nestjs/common';
import { EpisodesModule } from '../episodes/episodes.module.js';
import { ExpiredEpisodes } from './expired-episodes.js';

/** The worker's side of episodes that expire. */
@Module({ imports: [EpisodesModule], providers: [ExpiredEpisodes] })
export class ExpiryModule {}
