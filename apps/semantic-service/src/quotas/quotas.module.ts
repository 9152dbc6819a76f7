import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { BacklogModule } from '../ingestion/backlog/backlog.module.js';
import { QuotaLimitsModule } from '../quota-limits/quota-limits.module.js';
import { QuotaMetrics } from './quota-metrics.js';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({
  imports: [QuotaLimitsModule, CategoriesModule, BacklogModule],
  controllers: [QuotasController],
  providers: [QuotasService, QuotaMetrics],
})
export class QuotasModule {}
