import { QuotaLimits } from '@loci/persistence';
import { Module } from '@nestjs/common';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({
  controllers: [QuotasController],
  providers: [QuotaLimits, QuotasService],
  exports: [QuotasService],
})
export class QuotasModule {}
