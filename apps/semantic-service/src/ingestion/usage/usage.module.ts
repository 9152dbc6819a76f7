import { Module } from '@nestjs/common';
import { ModelQuotas } from './model-quotas.js';
import { UsageRepository } from './usage.repository.js';

/** What models were asked, what it cost, and how much more an organization may ask today. */
@Module({
  providers: [UsageRepository, ModelQuotas],
  exports: [UsageRepository, ModelQuotas],
})
export class UsageModule {}
