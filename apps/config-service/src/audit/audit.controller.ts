import {
  type AuditPage,
  type AuditRecords,
  type Done,
  listAudit,
  type ListAuditRequest,
  recordAudit,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { auditPage } from './audit-page.js';
import { AuditRepository } from './audit.repository.js';

@Controller()
export class AuditController {
  constructor(
    private readonly audit: AuditRepository,
    private readonly log: AuditLog,
  ) {}

  @Handle(recordAudit)
  async record({ records }: AuditRecords): Promise<Done> {
    await this.log.append(records);
    return {};
  }

  @Handle(listAudit)
  async list(request: ListAuditRequest): Promise<AuditPage> {
    const { limit } = request;
    const horizon = await this.audit.horizon(request);
    return auditPage(await this.audit.list({ ...request, limit: limit + 1 }, horizon), limit, horizon);
  }
}
