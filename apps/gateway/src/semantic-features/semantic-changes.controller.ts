import { type IdempotencyToken, listSetChanges, type OrganizationAccess, undoChanges } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import {
  fromSetChange,
  ListChangesBody,
  type SetChangesAnswer,
  setChangesAnswer,
  UndoChangesBody,
} from './semantic-changes.wire.js';

const TOTAL = 'x-total-count';

/** What happened in a set, and the way back. */
@Tagged('Semantic Memory: Features')
@Controller(['api/v2/memories/semantic', 'v2/memories/semantic'])
export class SemanticChangesController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('changes/list')
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_set_changes',
    summary: 'Lists what was changed in a set, newest first: by whom, and which features.',
    description:
      'What a client deletes leaves no change behind; neither do changes whose episodes are deleted. By `cursor` a page costs no more than the first, however far back it is.',
    answer: setChangesAnswer,
    headers: {
      'x-total-count':
        'How many there are on all pages together; absent where the history of the set has more than 200,000 entries, and where a `cursor` was sent.',
    },
    errors: ['set_not_found'],
  })
  async list(
    @Body() body: ListChangesBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SetChangesAnswer> {
    const { set_id: setId, page_size: pageSize, page_num: pageNum, cursor } = body;
    const page = { pageSize, pageNum, behind: cursor ?? undefined };
    const request = { tenant: tenantOf(body), organization, setId, ...page };
    const { changes, total } = await this.rpc.call(listSetChanges, request);
    if (total !== undefined) void reply.header(TOTAL, total);
    return { changes: changes.map(fromSetChange) };
  }

  @Post('changes/undo')
  @HttpCode(204)
  @Access('write', { organization: 'change', replaces: true })
  @Documented({
    name: 'undo_set_changes',
    summary: 'Puts every feature of some changes of a set back to what it was before them.',
    description:
      'All of them or none. What later changes made of these features goes, too, unless `unless_changed` says otherwise. That is a change, too, and can be taken back.',
    errors: ['set_not_found', 'change_not_found', 'category_not_found', 'changed_since'],
  })
  async undo(
    @Body() body: UndoChangesBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    const { set_id: setId, change_ids: changeIds, unless_changed: unlessChanged } = body;
    const request = { tenant: tenantOf(body), organization, setId, changeIds, unlessChanged, idempotency };
    await this.rpc.call(undoChanges, request);
  }
}
