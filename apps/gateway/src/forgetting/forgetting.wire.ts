import {
  type Deletion,
  DELETION_STATES,
  type Filter,
  type FilterField,
  type IdempotencyToken,
  invalid,
  type MatchingEpisodesRequest,
  MAX_LOOKED_UP,
  type Problem,
  type StartDeletionRequest,
  type SystemField,
} from '@loci/contracts';
import { described, integer, optional, withKeywords } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { atLeast, instantText, nullable } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { filter } from '../wire/schema/filter.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

/** The variable segment of its path. */
export const jobId = described(Type.String({ minLength: 1 }), 'Id of the job.', EXAMPLE_UID);

/** Of rows in PostgreSQL that are counted in 32 bits. */
const MAX_MATCHING = 2 ** 31 - 1;

export class ForgetBody extends request('ForgetSpec', {
  ...TenantBody.schema.properties,
  filter: withKeywords(filter, {
    description:
      "Which messages: those that match, as in a list of episodic memory. Of a user: `metadata.user_id='mira' OR producer_id='mira'`; of a session: `metadata.session_id='s-17'`; of a time: `created_at < date('2024-05-01')`. It must not be blank, and names fields of messages only.",
  }),
  expected_matching: described(
    optional(integer({ min: 0, max: MAX_MATCHING })),
    'How many messages are to be deleted, as a preview said. When another number matches by now, or more than are counted within seconds, nothing is deleted, and the answer is 409 `matching_changed`. It needs the scope `read`. A preview ignores it. Absent = as many as match.',
    1280,
  ),
}) {}

/** Whether messages have it: `NOT` of a field that none has would match every message. */
const IS_OF_MESSAGES: Readonly<Record<SystemField, boolean>> = {
  uid: true,
  session_key: true,
  producer_id: true,
  producer_role: true,
  produced_for_id: true,
  bound_producer: true,
  episode_type: true,
  content_type: true,
  sequence_num: true,
  content: true,
  created_at: true,
  updated_at: false,
  set_id: false,
  category_id: false,
  category_name: false,
  tag_id: false,
  tag: false,
  feature_name: false,
  value: false,
  subject: false,
  trust: false,
  recorded_at: false,
  valid_from: false,
  valid_until: false,
  superseded_by: false,
};

function fieldsOf(condition: Filter): FilterField[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.args.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(condition.arg);
    default:
      return [condition.field];
  }
}

const refused = (msg: string, type: string) => {
  const problem: Problem = { loc: ['body', 'filter'], msg, type };
  return invalid('invalid_filter', [problem]);
};

/** @throws AppError `invalid_filter` for a filter that is blank or is not about messages */
export function toMatching(body: ForgetBody): MatchingEpisodesRequest {
  const { filter: condition } = body;
  if (!condition) throw refused('Say which messages; to delete all, delete the project', 'missing');
  const foreign = fieldsOf(condition).find((field) => field.kind === 'system' && !IS_OF_MESSAGES[field.name]);
  if (foreign?.kind === 'system')
    throw refused(
      `A message has no ${foreign.name}; features are deleted at /api/v2/memories/semantic/delete`,
      'filter_unknown_field',
    );
  return { tenant: tenantOf(body), filter: condition };
}

export const toStartDeletion = (
  body: ForgetBody,
  idempotency: IdempotencyToken | undefined,
): StartDeletionRequest => ({
  ...toMatching(body),
  expectedMatching: body.expected_matching,
  idempotency,
});

export const previewAnswer = Type.Object(
  {
    matching: Type.Integer({ description: 'Messages that would be deleted.' }),
    at_least: atLeast,
    features: described(
      nullable(Type.Integer({ minimum: 0 })),
      `Features that would go with them: those that ingestion learned from these messages alone. Null when more than ${MAX_LOOKED_UP} messages match, or semantic memory does not answer: then they were not counted.`,
      3,
    ),
  },
  { title: 'ForgetPreview' },
);
export type PreviewAnswer = Static<typeof previewAnswer>;

export const jobAnswer = Type.Object(
  {
    id: Type.String({ description: 'Of the job.', format: 'uuid' }),
    state: Type.Enum([...DELETION_STATES], {
      description:
        '`deleting`: messages are being deleted, in order of time; what is deleted is in no answer any more. `purging`: all are deleted, and the last of their vectors are being removed. `done`: none is left.',
    }),
    matching: Type.Integer({
      description:
        'Messages that matched when it was requested, as many of them as were counted within seconds: of a project with millions of messages, `deleted` may be more in the end.',
    }),
    deleted: Type.Integer({
      description:
        'Messages that it has deleted so far. Less than `matching` in the end where others deleted some meanwhile.',
    }),
    requested_at: Type.String({
      format: 'date-time',
      description: 'Of what was added later nothing is deleted.',
    }),
    finished_at: described(
      nullable(instantText),
      'When it was done, in UTC; null until then.',
      EXAMPLE_INSTANT,
    ),
    error: described(
      nullable(Type.String()),
      'Why it goes on no more by itself: its process ended three times in a row at the next step. Null otherwise.',
      null,
    ),
  },
  { title: 'ForgetJob' },
);
export type JobAnswer = Static<typeof jobAnswer>;

export const jobsAnswer = Type.Array(jobAnswer);

export const fromDeletion = (job: Deletion): JobAnswer => ({
  id: job.id,
  state: job.state,
  matching: job.matching,
  deleted: job.deleted,
  requested_at: wireInstant(job.requestedAt),
  finished_at: job.finishedAt ? wireInstant(job.finishedAt) : null,
  error: job.error ?? null,
});
