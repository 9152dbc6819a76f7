import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { AuditTrail } from './audit-trail.js';
import { auditedOperation, type AuditedOperation } from './audited-operation.js';
import { auditRuleOf } from './audited-operations.js';

/** The audit of what MCP does: a request may have many calls of tools and reads, and each is an operation. */
@Injectable()
export class ToolAudit {
  constructor(private readonly trail: AuditTrail) {}

  /**
   * @param operation as AUDITED_OPERATIONS calls it
   * @returns undefined where no authentication is required
   */
  of(operation: string, request: FastifyRequest): AuditedOperation | undefined {
    return auditedOperation(operation, auditRuleOf(operation), request, this.trail);
  }
}
