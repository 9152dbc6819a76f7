import { listAudit } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import {
  auditListAnswer,
  type AuditRecordAnswer,
  fromAuditRecord,
  ListAuditQuery,
  toListAudit,
} from './audit.wire.js';

/** Who did what, newest first, for administrators: within what their own key is bound to. */
@Tagged('Audit')
@Controller('api/v2/audit')
export class AuditController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Access('admin', { tenantFrom: 'caller' })
  @Documented({
    name: 'list_audit',
    summary: 'Lists who did what, newest first, within the bounds of your own key.',
    description:
      'A page has fewer records than it may when they name many resources, and none or few where few of the 10,000 ' +
      'that it looked through fit; `x-next-cursor` says whether to go on.',
    answer: auditListAnswer,
    optionalHeaders: { 'x-next-cursor': 'The `cursor` of the next page; absent on the last.' },
    errors: ['project_not_found'],
  })
  async list(
    @Query() query: ListAuditQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditRecordAnswer[]> {
    const { records, next } = await this.rpc.call(listAudit, toListAudit(query, caller));
    if (next !== undefined) void reply.header('x-next-cursor', next);
    return records.map((record) => fromAuditRecord(record, caller));
  }
}
