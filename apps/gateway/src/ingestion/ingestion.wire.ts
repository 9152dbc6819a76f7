import {
  EXTRACTION_COMMANDS,
  INGESTION_STATES,
  type IngestionDeadLetter,
  type IngestionJob,
  type IngestionUsage,
  MAX_USAGE_DAYS,
} from '@loci/contracts';
import { byDefault, integer, oneOf, optional, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';

/** The variable segment of its path. */
export const deadLetterId = described(Type.String({ minLength: 1 }), 'Id of the dead letter.', EXAMPLE_UID);

export class IngestionPageQuery extends request('IngestionPageQuery', {
  ...TenantBody.schema.properties,
  page_size: described(byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), 100), 'Entries on a page.'),
  page_num: described(byDefault(integer({ min: 0, max: 1_000_000 }), 0), 'The page, from 0.'),
}) {}

export class ListJobsQuery extends request('ListJobsQuery', {
  ...IngestionPageQuery.schema.properties,
  state: described(optional(oneOf(INGESTION_STATES)), 'Only sets in this state. Absent = in any.'),
}) {}

export class UsageQuery extends request('UsageQuery', {
  ...TenantBody.schema.properties,
  days: described(
    byDefault(integer({ min: 1, max: MAX_USAGE_DAYS }), 30),
    'Days that are shown, today included, in UTC.',
  ),
}) {}

const failingCategory = Type.Object(
  {
    category: described(Type.String(), 'Name of the category.', 'profile'),
    failures: described(Type.Integer(), 'Failures in a row.', 2),
    code: described(Type.String(), 'Why it failed last, as a stable slug.'),
    reason: described(Type.String(), 'The same in one sentence.'),
    next_attempt_at: described(instantText, 'When it is tried again, in UTC.', EXAMPLE_INSTANT),
  },
  { title: 'FailingCategory' },
);

const backlogEntry = Type.Object(
  {
    set_id: described(Type.String(), 'Id of the set.', EXAMPLE_SET_ID),
    is_org_level: described(Type.Boolean(), 'Whether all projects of the organization share the set.'),
    waiting: described(Type.Integer(), 'Messages that some category of the set has not ingested yet.', 3),
    oldest_at: described(
      nullable(instantText),
      'When the oldest waiting message of the project was added, in UTC; null when none of its own waits.',
      EXAMPLE_INSTANT,
    ),
    state: described(
      Type.Enum([...INGESTION_STATES]),
      '`idle`: nothing waits, or not enough of it and not long enough; `due`: waits for a free worker; `running`: a worker is on it; `retrying`: it failed, and is tried again; `blocked`: it waits for what it needs, such as a model that works, as `reason` says, and is tried again after a pause.',
    ),
    next_attempt_at: described(
      nullable(instantText),
      'When it goes on at the latest, in UTC; null when nothing waits, and while a worker is on it.',
      EXAMPLE_INSTANT,
    ),
    code: described(
      nullable(Type.String()),
      'Why the waiting messages are not ingested yet, as a stable slug; null when none waits.',
    ),
    reason: described(nullable(Type.String()), 'The same in one sentence; null when none waits.'),
    failing_categories: described(
      Type.Array(failingCategory),
      'Categories that failed and are tried again; empty when none did.',
    ),
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
    attempts: described(Type.Integer(), 'How often a worker has taken the set up.', 7),
    lease_until: described(
      nullable(instantText),
      'While a worker is on it: when another takes over unless this one goes on, in UTC; null otherwise.',
      EXAMPLE_INSTANT,
    ),
    dead_letters: described(Type.Integer(), 'Dead letters of the set.', 0),
    changed_at: described(instantText, 'When its state changed last, in UTC.', EXAMPLE_INSTANT),
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
    command: Type.Optional(
      described(
        Type.Enum([...EXTRACTION_COMMANDS]),
        'What the model asked for; absent where it is none of these.',
      ),
    ),
    tag: described(Type.String(), 'Name of the tag that it named.', 'travel'),
    feature: described(Type.String(), 'Name of the feature that it named.', 'seat preference'),
    reason: described(Type.String(), 'Why it was not carried out, in one sentence.'),
  },
  { title: 'RefusedCommand' },
);

export const deadLetterAnswer = Type.Object(
  {
    id: described(Type.String(), 'Id of the dead letter.', EXAMPLE_UID),
    set_id: described(Type.String(), 'Id of the set.', EXAMPLE_SET_ID),
    is_org_level: described(Type.Boolean(), 'Whether all projects of the organization share the set.'),
    category: described(Type.String(), 'Name of the category that gave up.', 'profile'),
    episode_ids: described(
      Type.Array(Type.String()),
      'Uids of the messages of the project that it gave up, or whose commands it refused.',
      [EXAMPLE_UID],
    ),
    code: described(Type.String(), 'Why, as a stable slug.'),
    reason: described(Type.String(), 'Why, in one sentence.'),
    failures: described(Type.Integer(), 'Attempts that failed.', 5),
    at: described(instantText, 'When it was given up, in UTC.', EXAMPLE_INSTANT),
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
    ...(command && { command }),
    tag,
    feature,
    reason,
  })),
});

const usageEntry = Type.Object(
  {
    day: described(Type.String({ format: 'date' }), 'The day, in UTC.', '2025-06-01'),
    model: described(Type.String(), 'Name of the language model, as registered.', 'gpt'),
    is_org_level: described(
      Type.Boolean(),
      'Whether it was asked for sets that all projects of the organization share.',
    ),
    calls: described(
      Type.Integer(),
      'Calls that the provider answered, also those whose reply was of no use.',
      42,
    ),
    failures: described(Type.Integer(), 'Requests that ended without a usable reply.', 1),
    input_tokens: described(Type.Integer(), 'Tokens of the prompts.', 61000),
    output_tokens: described(Type.Integer(), 'Tokens of the replies.', 5200),
    cost: described(
      nullable(Type.Number()),
      'What they cost, in the currency of the prices that the model had then; null when it had none.',
      0.12,
    ),
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

export const replayedAnswer = Type.Object(
  { replayed: described(Type.Integer(), 'Dead letters that are tried again.', 3) },
  { title: 'ReplayedDeadLetters' },
);
export type ReplayedAnswer = Static<typeof replayedAnswer>;
