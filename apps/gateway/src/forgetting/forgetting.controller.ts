import {
  countLearnedOnlyFrom,
  getDeletion,
  type IdempotencyToken,
  isUnanswered,
  type LearnedOnlyFromRequest,
  listDeletions,
  previewDeletion,
  startDeletion,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { requireScope } from '../access/authorization.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';

import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  ForgetBody,
  fromDeletion,
  type JobAnswer,
  jobAnswer,
  jobsAnswer,
  type PreviewAnswer,
  previewAnswer,
  toMatching,
  toStartDeletion,
  jobId,
} from './forgetting.wire.js';

/** Deletes all messages that match a filter, and what was learned from them alone. */
@Tagged('Memories')
@Controller('api/v2/memories/forget')
export class ForgettingController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @HttpCode(202)
  @Access('write', { replaces: true })
  @Documented({
    name: 'forget_memories',
    summary: 'Deletes all messages that match a filter, and what was learned from them, as a job.',
    description:
      'When it answers, it is certain that every matching message that was acknowledged before is deleted, whatever is restarted meanwhile; none that is added later is. Follow the job at `GET /api/v2/memories/forget/{id}`. With a message go its vector, its part in summaries, its place in the backlog of ingestion and in dead letters, the citations of it with the history that was drawn from it, and every feature that only deleted messages support; features that a client wrote stay. A preview says how many messages match; send that number as `expected_matching`, which needs the scope `read` as the preview does, and nothing is deleted where another number matches by then. Of a key with a `producer` the filter finds messages of that one alone, in a preview, too.',
    answer: jobAnswer,
    errors: ['project_not_found', 'invalid_filter', 'matching_changed'],
  })
  async forget(
    @Body() body: ForgetBody,
    @CurrentCaller() caller: Caller,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<JobAnswer> {
    // a wrong number deletes nothing and tells whether, and how many, messages match: what they say, question by question
    if (body.expected_matching !== undefined) requireScope(caller, 'read');
    return fromDeletion(await this.rpc.call(startDeletion, toStartDeletion(body, idempotency)));
  }

  @Post('preview')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'preview_forget',
    summary:
      'Counts the messages that a filter would delete and what was learned from them alone, and deletes nothing.',
    description: 'A project that does not exist has none.',
    answer: previewAnswer,
    errors: ['invalid_filter'],
  })
  async preview(@Body() body: ForgetBody): Promise<PreviewAnswer> {
    const request = toMatching(body);
    const { count, isAtLeast, uids: episodeUids } = await this.rpc.call(previewDeletion, request);
    const learned = episodeUids && { tenant: request.tenant, episodeUids };
    const features = learned ? await this.featuresOf(learned) : null;
    return { matching: count, ...(isAtLeast && { at_least: true }), features };
  }

  @Get()
  @Access('read')
  @Documented({
    name: 'list_forget_jobs',
    summary: 'Lists the latest hundred jobs that delete messages of a project, newest first.',
    description: 'A finished job is listed for 30 days. A project that does not exist has none.',
    answer: jobsAnswer,
  })
  async list(@Query() query: TenantBody): Promise<JobAnswer[]> {
    const { deletions } = await this.rpc.call(listDeletions, { tenant: tenantOf(query) });
    return deletions.map(fromDeletion);
  }

  @Get(':id')
  @Access('read')
  @Documented({
    name: 'get_forget_job',
    path: { id: jobId },
    summary: 'Shows how far a job is that deletes messages.',
    answer: jobAnswer,
    errors: ['project_not_found', 'job_not_found'],
  })
  async get(@Param('id') id: string, @Query() query: TenantBody): Promise<JobAnswer> {
    return fromDeletion(await this.rpc.call(getDeletion, { tenant: tenantOf(query), id }));
  }

  /** Messages are counted, and deleted, whether semantic memory answers or not. */
  private async featuresOf(request: LearnedOnlyFromRequest): Promise<number | null> {
    try {
      return (await this.rpc.call(countLearnedOnlyFrom, request)).count;
    } catch (error) {
      if (isUnanswered(error)) return null;
      throw error;
    }
  }
}
