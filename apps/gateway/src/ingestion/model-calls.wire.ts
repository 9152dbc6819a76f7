import {
  MODEL_CALL_ACTIONS,
  MODEL_CALL_KINDS,
  MODEL_CALL_OUTCOMES,
  type ModelCall,
  type ModelCallDetails,
} from '@loci/contracts';
import { described, oneOf, optional } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { instantText, nullable } from '../wire/answers.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { momentInQuery } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { IngestionPageQuery } from './ingestion.wire.js';

/** The variable segment of its path. */
export const modelCallId = described(Type.String({ minLength: 1 }), 'Id of the call.', EXAMPLE_UID);

export class ListModelCallsQuery extends request('ListModelCallsQuery', {
  ...IngestionPageQuery.schema.properties,
  set_id: described(optional(setId), 'Only calls for this set. Absent = for any.', EXAMPLE_SET_ID),
  outcome: described(optional(oneOf(MODEL_CALL_OUTCOMES)), 'Only calls that ended so. Absent = any.'),
  since: described(
    optional(momentInQuery),
    'Only calls that began then or later; absent: all. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    EXAMPLE_INSTANT,
  ),
  until: described(
    optional(momentInQuery),
    'Only calls that began earlier; absent: all. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    EXAMPLE_INSTANT,
  ),
}) {}

const modelCall = Type.Object(
  {
    id: described(Type.String(), 'Id of the call.', EXAMPLE_UID),
    set_id: described(Type.String(), 'Id of the set that it was made for.', EXAMPLE_SET_ID),
    kind: described(
      Type.Enum([...MODEL_CALL_KINDS]),
      '`extraction`: it read messages; `consolidation`: it merged features that had piled up.',
    ),
    categories: described(Type.Array(Type.String()), 'Names of the categories that it was asked about.', [
      'profile',
    ]),
    model: described(Type.String(), 'Name of the language model, as registered.', 'gpt'),
    outcome: described(
      Type.Enum([...MODEL_CALL_OUTCOMES]),
      '`succeeded`: its reply could be used; `failed`: none came that could.',
    ),
    code: described(nullable(Type.String()), 'Why it failed, as a stable slug; null when it did not.'),
    reason: described(nullable(Type.String()), 'The same in one sentence; null when it did not fail.'),
    replies: described(
      Type.Integer(),
      'Replies of the provider: two where the first was of no use, and the model was told what was wrong; none where it could not be reached.',
      1,
    ),
    input_tokens: described(Type.Integer(), 'Tokens of the prompt, of all replies together.', 1450),
    output_tokens: described(Type.Integer(), 'Tokens of the replies.', 120),
    cost: described(
      nullable(Type.Number()),
      'What it cost, in the currency of the prices that the model had then; null when it had none.',
      0.0031,
    ),
    duration_ms: described(Type.Integer(), 'How long it took, with all waiting, in milliseconds.', 1830),
    message_count: described(Type.Integer(), 'Messages that it learned from.', 3),
    feature_count: described(Type.Integer(), 'Features that it added, changed or took away.', 2),
    at: described(instantText, 'When it began, in UTC.', EXAMPLE_INSTANT),
  },
  { title: 'ModelCall' },
);
export type ModelCallEntry = Static<typeof modelCall>;

export const modelCallsAnswer = Type.Array(modelCall);

export const promptMessage = Type.Object(
  {
    role: described(Type.Enum(['system', 'user', 'assistant']), 'Who speaks.'),
    content: described(Type.String(), 'What the model was shown.', 'Messages:\n1. Ann: I live in Graz.'),
  },
  { title: 'PromptMessage' },
);

const madeFeature = Type.Object(
  {
    feature_id: described(Type.String(), 'Id of the feature.', EXAMPLE_UID),
    category: described(Type.String(), 'Name of its category.', 'profile'),
    action: described(Type.Enum([...MODEL_CALL_ACTIONS]), 'What the call did to it.'),
  },
  { title: 'MadeFeature' },
);

export const modelCallAnswer = Type.Object(
  {
    ...modelCall.properties,
    episode_ids: described(Type.Array(Type.String()), 'Uids of the messages that it learned from.', [
      EXAMPLE_UID,
    ]),
    features: described(
      Type.Array(madeFeature),
      'What it did to features. A feature that said the same already counts as updated: it cites the messages, too.',
    ),
    prompt: described(
      nullable(Type.Array(promptMessage)),
      'What the model was shown; null where the project keeps no texts (`keep_call_texts`). What looks like a credential reads `[redacted]`.',
    ),
    reply: described(
      nullable(Type.String()),
      'The last reply, as it came, but for what looks like a credential; null where none came, and where the project keeps no texts.',
      '{"commands":[]}',
    ),
    is_cut: described(
      Type.Boolean(),
      'Whether the texts are longer than what is kept of them: 200,000 characters of a prompt, 100,000 of a reply.',
    ),
    expires_at: described(instantText, 'Until when it is kept, in UTC.', EXAMPLE_INSTANT),
  },
  { title: 'ModelCallDetails' },
);
export type ModelCallAnswer = Static<typeof modelCallAnswer>;

export const fromModelCall = (call: ModelCall): ModelCallEntry => ({
  id: call.id,
  set_id: call.setId,
  kind: call.kind,
  categories: [...call.categories],
  model: call.model,
  outcome: call.code === undefined ? 'succeeded' : 'failed',
  code: call.code ?? null,
  reason: call.reason ?? null,
  replies: call.replies,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  cost: call.cost ?? null,
  duration_ms: call.durationMs,
  message_count: call.messages,
  feature_count: call.features,
  at: call.begunAt,
});

export const fromModelCallDetails = (call: ModelCallDetails): ModelCallAnswer => ({
  ...fromModelCall(call),
  episode_ids: [...call.episodeIds],
  features: call.made.map(({ featureId, category, action }) => ({ feature_id: featureId, category, action })),
  prompt: call.prompt?.map(({ role, content }) => ({ role, content })) ?? null,
  reply: call.reply ?? null,
  is_cut: call.isCut,
  expires_at: call.expiresAt,
});
