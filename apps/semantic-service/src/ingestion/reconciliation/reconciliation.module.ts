import { Module } from '@nestjs/common';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { BacklogModule } from '../backlog/backlog.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { CursorsRepository } from './cursors.repository.js';
import { LearnedMessages } from './learned-messages.js';
import { MissedEpisodes } from './missed-episodes.js';
import { NotedEpisodesRepository } from './noted-episodes.repository.js';
import { ReconciliationTasks } from './reconciliation-tasks.js';
import { VanishedEpisodes } from './vanished-episodes.js';

/** Compares with the episodic service at intervals: an event that was lost is made up for. */
@Module({
  imports: [IntakeModule, BacklogModule, ErasureModule, SettingsModule],
  providers: [
    CursorsRepository,
    LearnedMessages,
    MissedEpisodes,
    NotedEpisodesRepository,
    VanishedEpisodes,
    ReconciliationTasks,
  ],
})
export class ReconciliationModule {}
