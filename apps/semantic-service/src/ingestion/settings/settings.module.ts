import { Module } from '@nestjs/common';
import { IngestionSwitch, RegistrySwitch } from './ingestion-switch.js';
import { RegistryTriggers, TriggersSource } from './triggers-source.js';

/** Whether messages are learned from, and when a set is due. */
@Module({
  providers: [
    { provide: TriggersSource, useClass: RegistryTriggers },
    { provide: IngestionSwitch, useClass: RegistrySwitch },
  ],
  exports: [TriggersSource, IngestionSwitch],
})
export class SettingsModule {}
