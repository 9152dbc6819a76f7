import { Module } from '@nestjs/common';
import { IngestionSwitch, RegistrySwitch } from './ingestion-switch.js';
import { Learnability } from './learnability.js';
import { ReadyModels, RegistryReadyModels } from './ready-models.js';
import { RegistryTriggers, TriggersSource } from './triggers-source.js';

/** Whether messages are learned from, by which models, and when a set is due. */
@Module({
  providers: [
    Learnability,
    { provide: TriggersSource, useClass: RegistryTriggers },
    { provide: IngestionSwitch, useClass: RegistrySwitch },
    { provide: ReadyModels, useClass: RegistryReadyModels },
  ],
  exports: [Learnability, TriggersSource, IngestionSwitch, ReadyModels],
})
export class SettingsModule {}
