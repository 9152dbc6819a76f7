import {
  dropIngestionDeadLetter,
  getIngestionDeadLetter,
  getIngestionUsage,
  type IdempotencyToken,
  listIngestionDeadLetters,
  listIngestionJobs,
  getRelearning,
  previewRelearning,
  replayIngestionDeadLetter,
  replayIngestionDeadLetters,
  startRelearning,
  type OrganizationAccess,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { Idempotency } from '../wire/idempotency.decorator.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import {
  backlogAnswer,
  type BacklogEntry,
  deadLetterAnswer,
  type DeadLetterEntry,
  deadLettersAnswer,
  fromBacklog,
  fromDeadLetter,
  fromJob,
  fromUsage,
  IngestionPageQuery,
  type JobEntry,
  jobsAnswer,
  ListJobsQuery,
  type ReplayedAnswer,
  replayedAnswer,
  usageAnswer,
  type UsageEntry,
  UsageQuery,
  deadLetterId,
} from './ingestion.wire.js';
import {
  fromRelearning,
  fromRelearningProgress,
  relearningProgressAnswer,
  type RelearningProgressAnswer,
  type RelearningAnswer,
  relearningAnswer,
} from './relearning.wire.js';

const TOTAL = 'x-total-count';

/** What waits to become semantic memory and why, what was given up, and what it costs. */
@Tagged('Ingestion')
@Controller('api/v2/ingestion')
export class IngestionController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('backlog')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_ingestion_backlog',
    summary: 'Lists the sets with messages that wait to become semantic memory, and why they wait.',
    answer: backlogAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
  })
  async backlog(
    @Query() query: IngestionPageQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BacklogEntry[]> {
    const page = { pageSize: query.page_size, pageNum: query.page_num };
    const request = { tenant: tenantOf(query), organization, waitingOnly: true, ...page };
    const { jobs, total } = await this.rpc.call(listIngestionJobs, request);
    void reply.header(TOTAL, total);
    return jobs.map(fromBacklog);
  }

  @Get('jobs')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_ingestion_jobs',
    summary: 'Lists the state of ingestion, set by set.',
    answer: jobsAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
  })
  async jobs(
    @Query() query: ListJobsQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobEntry[]> {
    const { page_size: pageSize, page_num: pageNum, state } = query;
    const request = { tenant: tenantOf(query), organization, waitingOnly: false, state, pageSize, pageNum };
    const { jobs, total } = await this.rpc.call(listIngestionJobs, request);
    void reply.header(TOTAL, total);
    return jobs.map(fromJob);
  }

  @Get('usage')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_ingestion_usage',
    summary: 'Shows what ingestion has cost: calls and tokens by day and model.',
    answer: usageAnswer,
  })
  async usage(
    @Query() query: UsageQuery,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<UsageEntry[]> {
    const request = { tenant: tenantOf(query), organization, days: query.days };
    return (await this.rpc.call(getIngestionUsage, request)).usage.map(fromUsage);
  }

  @Post('relearn/preview')
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'preview_relearning',
    summary: 'Says what learning the messages of a project again takes, and changes nothing.',
    answer: relearningAnswer,
    errors: ['project_not_found'],
  })
  async previewRelearning(
    @Body() body: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<RelearningAnswer> {
    return fromRelearning(await this.rpc.call(previewRelearning, { tenant: tenantOf(body), organization }));
  }

  @Post('relearn')
  @HttpCode(202)
  @Access('admin')
  @Documented({
    name: 'relearn_messages',
    summary: 'Has the messages of a project learned again, so that its facts say whom they are about.',
    description:
      'From the answer on, facts of the project are about users (`facts_of`). As a job behind it, features without a subject that only models made are taken away, which can be taken back change by change, and the messages wait in the backlog again, where they can be followed. What clients wrote stays, and so do messages in dead letters and sets of the organization. A preview says what it costs.',
    answer: relearningAnswer,
    errors: ['project_not_found', 'producer_not_allowed'],
  })
  async relearn(
    @Body() body: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<RelearningAnswer> {
    const request = { tenant: tenantOf(body), organization, idempotency };
    return fromRelearning(await this.rpc.call(startRelearning, request));
  }

  @Get('relearn')
  @Access('read')
  @Documented({
    name: 'get_relearning',
    summary: 'Says how far learning the messages of a project again is.',
    answer: relearningProgressAnswer,
    errors: ['project_not_found'],
  })
  async relearning(
    @Query() query: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<RelearningProgressAnswer> {
    return fromRelearningProgress(
      await this.rpc.call(getRelearning, { tenant: tenantOf(query), organization }),
    );
  }

  @Get('dead-letters')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'list_ingestion_dead_letters',
    summary: 'Lists the messages that ingestion has given up on.',
    answer: deadLettersAnswer,
    headers: { 'x-total-count': 'How many there are on all pages together.' },
  })
  async deadLetters(
    @Query() query: IngestionPageQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeadLetterEntry[]> {
    const request = {
      tenant: tenantOf(query),
      organization,
      pageSize: query.page_size,
      pageNum: query.page_num,
    };
    const { letters, total } = await this.rpc.call(listIngestionDeadLetters, request);
    void reply.header(TOTAL, total);
    return letters.map(fromDeadLetter);
  }

  @Get('dead-letters/:id')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_ingestion_dead_letter',
    path: { id: deadLetterId },
    summary: 'Shows a dead letter.',
    answer: deadLetterAnswer,
    errors: ['dead_letter_not_found'],
  })
  async deadLetter(
    @Param('id') id: string,
    @Query() query: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<DeadLetterEntry> {
    return fromDeadLetter(
      await this.rpc.call(getIngestionDeadLetter, { tenant: tenantOf(query), organization, id }),
    );
  }

  @Post('dead-letters/:id/replay')
  @HttpCode(204)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'replay_ingestion_dead_letter',
    path: { id: deadLetterId },
    summary: 'Lets ingestion try a dead letter again.',
    errors: ['dead_letter_not_found'],
  })
  async replay(
    @Param('id') id: string,
    @Body() body: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(replayIngestionDeadLetter, { tenant: tenantOf(body), organization, id, idempotency });
  }

  @Post('dead-letters/replay')
  @HttpCode(200)
  @Access('write', { organization: 'change' })
  @Documented({
    name: 'replay_ingestion_dead_letters',
    summary: 'Lets ingestion try all dead letters of a project again.',
    answer: replayedAnswer,
  })
  async replayAll(
    @Body() body: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<ReplayedAnswer> {
    return this.rpc.call(replayIngestionDeadLetters, { tenant: tenantOf(body), organization, idempotency });
  }

  @Delete('dead-letters/:id')
  @HttpCode(204)
  @Access('write', { ignoresBody: true, organization: 'change' })
  @Documented({
    name: 'drop_ingestion_dead_letter',
    path: { id: deadLetterId },
    summary: 'Drops a dead letter for good.',
    errors: ['dead_letter_not_found'],
  })
  async drop(
    @Param('id') id: string,
    @Query() query: TenantBody,
    @OrganizationRights() organization: OrganizationAccess,
    @Idempotency() idempotency?: IdempotencyToken,
  ): Promise<void> {
    await this.rpc.call(dropIngestionDeadLetter, { tenant: tenantOf(query), organization, id, idempotency });
  }
}
