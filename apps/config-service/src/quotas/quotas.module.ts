import { QuotaLimits } from '@loci/persistence';
import { Module } from '@nestjs/common';
import { LookAlikeNamesModule } from '../names/look-alike-names.module.js';
import { QuotaUseRepository } from './quota-use.repository.js';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({
  imports: [LookAlikeNamesModule],
  controllers: [QuotasController],
  providers: [QuotaLimits, QuotaUseRepository, QuotasService],
  exports: [QuotasService],
})
export class QuotasModule {}
