import { Registry } from '@loci/registry';
import { Module } from '@nestjs/common';
import { MemorySettings } from './memory-settings.js';

@Module({
  providers: [
    {
      provide: MemorySettings,
      inject: [Registry],
      useFactory: (registry: Registry) => new MemorySettings(registry),
    },
  ],
  exports: [MemorySettings],
})
export class MemoryModule {}
