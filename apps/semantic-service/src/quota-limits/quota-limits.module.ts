import { QuotaLimits } from '@loci/persistence';
import { Module } from '@nestjs/common';

@Module({ providers: [QuotaLimits], exports: [QuotaLimits] })
export class QuotaLimitsModule {}
