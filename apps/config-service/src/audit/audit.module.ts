import { ConsumerModule } from '@loci/messaging';
import { Module } from '@nestjs/common';
import { AuditAnchor } from './audit-anchor.js';
import { AuditLog } from './audit-log.js';
import { AuditRecorder } from './audit-recorder.js';
import { AuditRetention } from './audit-retention.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';

@Module({
  imports: [ConsumerModule],
  controllers: [AuditController],
  providers: [AuditLog, AuditRecorder, AuditRetention, AuditAnchor, AuditRepository],
})
export class AuditModule {}
