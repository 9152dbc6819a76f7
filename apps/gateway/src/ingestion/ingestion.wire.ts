import {
  EXTRACTION_COMMANDS,
  INGESTION_STATES,
  type IngestionDeadLetter,
  type IngestionJob,
  type IngestionUsage,
  MAX_USAGE_DAYS,
  type RelearningCost,
} from '@loci/contracts';
import { byDefault, integer, oneOf, optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

export class IngestionPageQuery extends request('IngestionPageQuery', {
  ...TenantBody.schema.properties,
  page_size: byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100),
  page_num: byDefault(integer({ min: 0, max: 1_000_000 }), 0),
}) {}

export class ListJobsQuery extends request('ListJobsQuery', {
  ...IngestionPageQuery.schema.properties,
  state: optional(oneOf(INGESTION_STATES)),
}) {}

export class UsageQuery extends request('UsageQuery', {
  ...TenantBody.schema.properties,
  /** Today included, in UTC. */
  days: byDefault(integer({ min: 1, max: MAX_USAGE_DAYS }), 30),
}) {}

const failingCategory = Type.Object(
  {
    category: Type.String(),
    failures: Type.Integer(),
    code: Type.String(),
    reason: Type.String(),
    next_attempt_at: instantText,
  },
  { title: 'FailingCategory' },
);

const backlogEntry = Type.Object(
  {
    set_id: Type.String(),
    is_org_level: Type.Boolean(),
    waiting: Type.Integer(),
    oldest_at: nullable(instantText),
    state: Type.Enum([...INGESTION_STATES]),
    next_attempt_at: nullable(instantText),
    code: nullable(Type.String()),
    reason: nullable(Type.String()),
    failing_categories: Type.Array(failingCategory),
  },
  { title: 'IngestionBacklogEntry' },
);
export type BacklogEntry = Static<typeof backlogEntry>;

export const backlogAnswer = Type.Array(backlogEntry);

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

const jobEntry = Type.Object(
  {
    ...backlogEntry.properties,
    attempts: Type.Integer(),
    lease_until: nullable(instantText),
    dead_letters: Type.Integer(),
    changed_at: instantText,
  },
  { title: 'IngestionJob' },
);
export type JobEntry = Static<typeof jobEntry>;

export const jobsAnswer = Type.Array(jobEntry);

export const fromJob = (job: IngestionJob): JobEntry => ({
  ...fromBacklog(job),
  attempts: job.attempts,
  lease_until: job.leaseUntil ?? null,
  dead_letters: job.deadLetters,
  changed_at: job.changedAt,
});

const refusedCommand = Type.Object(
  {
    command: Type.Enum([...EXTRACTION_COMMANDS]),
    tag: Type.String(),
    feature: Type.String(),
    reason: Type.String(),
  },
  { title: 'RefusedCommand' },
);

export const deadLetterAnswer = Type.Object(
  {
    id: Type.String(),
    set_id: Type.String(),
    is_org_level: Type.Boolean(),
    category: Type.String(),
    episode_ids: Type.Array(Type.String()),
    code: Type.String(),
    reason: Type.String(),
    failures: Type.Integer(),
    at: instantText,
    commands: Type.Array(refusedCommand, {
      description:
        'Of messages that are ingested but for single commands of the model: these. Empty where messages were given up.',
    }),
  },
  { title: 'IngestionDeadLetter' },
);
export type DeadLetterEntry = Static<typeof deadLetterAnswer>;

export const deadLettersAnswer = Type.Array(deadLetterAnswer);

export const fromDeadLetter = (letter: IngestionDeadLetter): DeadLetterEntry => ({
  id: letter.id,
  set_id: letter.setId,
  is_org_level: letter.isOrgLevel,
  category: letter.category,
  episode_ids: [...letter.episodeIds],
  code: letter.code,
  reason: letter.reason,
  failures: letter.failures,
  at: letter.at,
  commands: (letter.commands ?? []).map(({ command, tag, feature, reason }) => ({
    command,
    tag,
    feature,
    reason,
  })),
});

const usageEntry = Type.Object(
  {
    day: Type.String({ format: 'date' }),
    model: Type.String(),
    is_org_level: Type.Boolean(),
    calls: Type.Integer(),
    failures: Type.Integer(),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    cost: nullable(Type.Number()),
  },
  { title: 'IngestionUsage' },
);
export type UsageEntry = Static<typeof usageEntry>;

export const usageAnswer = Type.Array(usageEntry);

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

export const replayedAnswer = Type.Object({ replayed: Type.Integer() }, { title: 'ReplayedDeadLetters' });
export type ReplayedAnswer = Static<typeof replayedAnswer>;

export const relearningAnswer = Type.Object(
  {
    messages: Type.Integer({
      description: 'Messages to be learned again, each as often as sets learned from it.',
    }),
    features: Type.Integer({ description: 'Features without a subject that only models made: taken away.' }),
    calls: Type.Integer({ description: 'Calls of models, at least.' }),
    input_tokens: Type.Integer({
      description: 'What ingestion of the project has taken so far: about as many again.',
    }),
    output_tokens: Type.Integer(),
    cost: nullable(Type.Number({ description: 'The same in money; null for models without prices.' })),
  },
  { title: 'Relearning' },
);
export type RelearningAnswer = Static<typeof relearningAnswer>;

export const fromRelearning = (given: RelearningCost): RelearningAnswer => ({
  messages: given.messages,
  features: given.features,
  calls: given.calls,
  input_tokens: given.inputTokens,
  output_tokens: given.outputTokens,
  cost: given.cost ?? null,
});
