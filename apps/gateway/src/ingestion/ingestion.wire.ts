import {
  INGESTION_STATES,
  type IngestionDeadLetter,
  type IngestionJob,
  type IngestionState,
  type IngestionUsage,
  MAX_USAGE_DAYS,
} from '@loci/contracts';
import { integer, oneOf } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { TenantBody } from '../wire/tenant.wire.js';

export class IngestionPageQuery extends TenantBody {
  @Wire(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), { default: 100 })
  readonly page_size!: number;

  @Wire(integer({ min: 0, max: 1_000_000 }), { default: 0 })
  readonly page_num!: number;
}

export class ListJobsQuery extends IngestionPageQuery {
  @Wire(oneOf(INGESTION_STATES), { optional: true })
  readonly state?: IngestionState | undefined;
}

export class UsageQuery extends TenantBody {
  /** Today included, in UTC. */
  @Wire(integer({ min: 1, max: MAX_USAGE_DAYS }), { default: 30 })
  readonly days!: number;
}

export interface BacklogEntry {
  readonly set_id: string;
  readonly is_org_level: boolean;
  readonly waiting: number;
  readonly oldest_at: string | null;
  readonly state: IngestionState;
  readonly next_attempt_at: string | null;
  /** Why the messages wait, as a stable slug and in a sentence. */
  readonly code: string | null;
  readonly reason: string | null;
  readonly failing_categories: readonly FailingCategoryEntry[];
}

interface FailingCategoryEntry {
  readonly category: string;
  readonly failures: number;
  readonly code: string;
  readonly reason: string;
  readonly next_attempt_at: string;
}

export const fromBacklog = (job: IngestionJob): BacklogEntry => ({
  set_id: job.setId,
  is_org_level: job.isOrgLevel,
  waiting: job.waiting,
  oldest_at: job.oldestAt ?? null,
  state: job.state,
  next_attempt_at: job.nextAttemptAt ?? null,
  code: job.code ?? null,
  reason: job.reason ?? null,
  failing_categories: job.failing.map(({ nextAttemptAt, ...failing }) => ({
    ...failing,
    next_attempt_at: nextAttemptAt,
  })),
});

export interface JobEntry extends BacklogEntry {
  readonly attempts: number;
  readonly lease_until: string | null;
  readonly dead_letters: number;
  readonly changed_at: string;
}

export const fromJob = (job: IngestionJob): JobEntry => ({
  ...fromBacklog(job),
  attempts: job.attempts,
  lease_until: job.leaseUntil ?? null,
  dead_letters: job.deadLetters,
  changed_at: job.changedAt,
});

export interface DeadLetterEntry {
  readonly id: string;
  readonly set_id: string;
  readonly is_org_level: boolean;
  readonly category: string;
  readonly episode_ids: readonly string[];
  readonly code: string;
  readonly reason: string;
  readonly failures: number;
  readonly at: string;
}

export const fromDeadLetter = (letter: IngestionDeadLetter): DeadLetterEntry => ({
  id: letter.id,
  set_id: letter.setId,
  is_org_level: letter.isOrgLevel,
  category: letter.category,
  episode_ids: letter.episodeIds,
  code: letter.code,
  reason: letter.reason,
  failures: letter.failures,
  at: letter.at,
});

export interface UsageEntry {
  readonly day: string;
  readonly model: string;
  readonly is_org_level: boolean;
  readonly calls: number;
  readonly failures: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null for a model without prices. */
  readonly cost: number | null;
}

export const fromUsage = (usage: IngestionUsage): UsageEntry => ({
  day: usage.day,
  model: usage.model,
  is_org_level: usage.isOrgLevel,
  calls: usage.calls,
  failures: usage.failures,
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cost: usage.cost ?? null,
});
