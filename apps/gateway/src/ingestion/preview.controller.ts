import { type OrganizationAccess, previewIngestion } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { type Caller } from '../access/caller.js';
import { CurrentCaller, OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import {
  fromPreview,
  type PreviewAnswer,
  previewAnswer,
  PreviewIngestionBody,
  toPreviewIngestion,
} from './preview.wire.js';

/** Tries prompts. */
@Tagged('Ingestion')
@Controller('api/v2/ingestion')
export class PreviewController {
  constructor(private readonly rpc: RpcClient) {}

  @Post('preview')
  @HttpCode(200)
  @Access('write', { organization: 'read', reveals: true })
  @Documented({
    name: 'preview_ingestion',
    summary: 'Tries a prompt: says what the model would learn from messages, and writes nothing.',
    description:
      'The model of the set is asked once, with what the set knows, as ingestion asks it; what came before in the same conversations is not shown. The call counts against the quotas of the organization and is in its usage, which is why it takes `write`; its answer shows what is stored, which is why it takes `read`, too. At most 50 messages, of 8,000 tokens together, all of trusted producers or all of others. An answer takes 12 seconds at most; an organization has two at a time in a process.',
    answer: previewAnswer,
    errors: [
      'project_not_found',
      'set_not_found',
      'category_not_found',
      'memory_not_found',
      'producer_not_allowed',
      'model_quota_exceeded',
    ],
  })
  async preview(
    @Body() body: PreviewIngestionBody,
    @OrganizationRights() organization: OrganizationAccess,
    @CurrentCaller() caller: Caller,
  ): Promise<PreviewAnswer> {
    return fromPreview(await this.rpc.call(previewIngestion, toPreviewIngestion(body, organization, caller)));
  }
}
