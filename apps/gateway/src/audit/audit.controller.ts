import { listAudit } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { fromAuditRecord, ListAuditQuery, toListAudit } from './audit.wire.js';

/** Who did what, newest first, for administrators: within what their own key is bound to. */
@Controller('api/v2/audit')
export class AuditController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Access('admin', { tenantFrom: 'caller' })
  async list(
    @Query() query: ListAuditQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object[]> {
    const { records, next } = await this.rpc.call(listAudit, toListAudit(query, caller));
    if (next !== undefined) void reply.header('x-next-cursor', next);
    return records.map(fromAuditRecord);
  }
}
