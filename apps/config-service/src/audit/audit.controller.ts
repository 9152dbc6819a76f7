import { type AuditPage, listAudit, type ListAuditRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';

@Controller()
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Handle(listAudit)
  async list(request: ListAuditRequest): Promise<AuditPage> {
    const found = await this.audit.list({ ...request, limit: request.limit + 1 });
    const records = found.slice(0, request.limit);
    return { records, next: found.length > records.length ? records.at(-1)?.id : undefined };
  }
}
