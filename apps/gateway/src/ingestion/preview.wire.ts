import {
  EXTRACTION_COMMANDS,
  CHANGE_ACTIONS,
  type IngestionPreview,
  invalid,
  MAX_PREVIEWED_MESSAGES,
  MODEL_CALL_OUTCOMES,
  type OrganizationAccess,
  type PreviewedChange,
  type PreviewedCommand,
  type PreviewIngestionRequest,
} from '@loci/contracts';
import {
  byDefault,
  described,
  filledText,
  listOf,
  nameText,
  nullish,
  optional,
  text,
  textMap,
} from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { type Caller } from '../access/caller.js';
import { toSaidMessage } from '../memories/add-memories.wire.js';
import { fromState, stateAnswer } from '../semantic-features/feature-history.wire.js';
import { fromSubject } from '../semantic-features/feature-answer.wire.js';
import { promptMessage } from './model-calls.wire.js';
import { setId } from '../semantic-sets/semantic-sets.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_SET_ID, EXAMPLE_UID } from '../wire/examples.js';
import { moment } from '../wire/schema/moment.js';
import { METADATA_LIMITS } from '../wire/schema/metadata-limits.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { fromValidity, validityAnswer } from '../wire/validity.wire.js';
import { nullable } from '../wire/answers.js';

class PreviewMessageBody extends request('PreviewMessageSpec', {
  content: described(text('MAX_CONTENT_CHARS'), 'What was said.', 'Alice prefers window seats.'),
  producer: described(
    optional(text('MAX_LABEL_CHARS')),
    'Who said it. Absent = the one that the key is bound to, else `user`.',
    'alice',
  ),
  produced_for: described(byDefault(text('MAX_LABEL_CHARS'), ''), 'Whom it was said to.', 'travel-agent'),
  role: described(byDefault(text('MAX_LABEL_CHARS'), ''), 'Role of the producer.', 'user'),
  timestamp: described(nullish(moment), 'When it was said. Absent or null = now.', EXAMPLE_INSTANT),
  metadata: described(
    byDefault(textMap(METADATA_LIMITS), {}),
    'As of a message that is added; `user_id` says whose message it is.',
    { user_id: 'alice' },
  ),
}) {}

export class PreviewIngestionBody extends request('PreviewIngestionSpec', {
  ...TenantBody.schema.properties,
  set_id: described(setId, 'Id of the set: its model is asked, with what it knows.', EXAMPLE_SET_ID),
  category_name: described(
    nameText('MAX_LABEL_CHARS'),
    'Name of the category whose prompt is tried; with a `prompt`, it need not exist.',
    'profile',
  ),
  prompt: described(
    nullish(filledText('MAX_CONTENT_CHARS')),
    'The prompt that is tried. Absent or null = that of the category.',
    'Look for how the user likes to travel.',
  ),
  tags: described(
    nullish(textMap({ ...METADATA_LIMITS, maxKeyChars: 255 })),
    'What tags are about, by name. Absent or null = those of the category.',
    { seats: 'Where they like to sit.' },
  ),
  episode_ids: described(
    byDefault(listOf(text('MAX_LABEL_CHARS'), { max: MAX_PREVIEWED_MESSAGES }), []),
    'Uids of stored messages of the project, which the model reads in this sequence.',
    [EXAMPLE_UID],
  ),
  messages: described(
    byDefault(listOf(PreviewMessageBody.schema, { max: MAX_PREVIEWED_MESSAGES }), []),
    'Messages that are not stored, and will not be; the model reads them behind the stored ones.',
  ),
}) {}

/** @throws AppError `producer_not_allowed` when a message is not the caller's to say; `invalid_request` without messages, or with too many */
export function toPreviewIngestion(
  body: PreviewIngestionBody,
  organization: OrganizationAccess,
  caller: Caller,
): PreviewIngestionRequest {
  const count = body.episode_ids.length + body.messages.length;
  if (count === 0 || count > MAX_PREVIEWED_MESSAGES) {
    const msg = `There should be 1 to ${MAX_PREVIEWED_MESSAGES} messages, in episode_ids and messages together`;
    throw invalid('invalid_request', [{ loc: ['body', 'messages'], msg, type: 'value_error' }]);
  }
  return {
    tenant: tenantOf(body),
    organization,
    setId: body.set_id,
    category: body.category_name,
    prompt: body.prompt,
    tags: body.tags,
    episodes: body.episode_ids,
    messages: body.messages.map((message) => toSaidMessage(message, caller)),
  };
}

const { valid_from, valid_from_precision, valid_until, valid_until_precision } = validityAnswer;

const commandAnswer = Type.Object(
  {
    command: Type.Optional(
      Type.Enum([...EXTRACTION_COMMANDS], {
        description: 'What the model asks for; absent where it is none of these, which is refused.',
      }),
    ),
    subject: Type.Optional(
      Type.String({ description: 'Whom it is about; absent when the model does not say.' }),
    ),
    tag: described(Type.String(), 'Name of the tag.', 'travel'),
    feature_name: described(Type.String(), 'Name of the feature.', 'seat preference'),
    value: Type.Optional(
      described(
        Type.String(),
        'What is to be known; absent when something is to be deleted.',
        'prefers window seats',
      ),
    ),
    valid_from,
    valid_from_precision,
    valid_until,
    valid_until_precision,
    single_valued: Type.Optional(
      Type.Boolean({
        description: 'Whether the name can have one value at a time; absent when the model does not say.',
      }),
    ),
    messages: described(
      Type.Array(Type.Integer()),
      'Numbers of the messages that it cites, from 1; empty for one that is refused.',
      [1],
    ),
    refused: Type.Optional(
      described(
        Type.String(),
        'Why it would not be carried out; absent where it would be.',
        'It names no message of its batch.',
      ),
    ),
  },
  { title: 'PreviewedCommand' },
);

const changeAnswer = Type.Object(
  {
    action: Type.Enum([...CHANGE_ACTIONS], { description: 'What would become of the feature.' }),
    feature_id: Type.Optional(
      described(Type.String(), 'Id of the feature; absent for a new one.', EXAMPLE_UID),
    ),
    before: described(nullable(stateAnswer), 'The feature as it is; null for a new one.'),
    after: described(nullable(stateAnswer), 'The feature as it would be; null for one that would go.'),
  },
  { title: 'PreviewedChange' },
);

export const previewAnswer = Type.Object(
  {
    model: described(Type.String(), 'Name of the language model that was asked.', 'gpt'),
    outcome: described(
      Type.Enum([...MODEL_CALL_OUTCOMES]),
      '`succeeded`: its reply can be used; `failed`: it cannot, even after a repair, and ingestion would try again.',
    ),
    code: described(
      nullable(Type.String()),
      'Why the reply is of no use, as a stable slug; null when it is of use.',
    ),
    reason: described(nullable(Type.String()), 'The same in one sentence; null when it is of use.'),
    prompt: described(
      Type.Array(promptMessage),
      'What the model was shown. What looks like a credential reads `[redacted]` here.',
    ),
    reply: described(
      nullable(Type.String()),
      'Its last reply, as it came, but for what looks like a credential; null where none came.',
      '{"commands":[]}',
    ),
    is_cut: described(
      Type.Boolean(),
      'Whether the texts are longer than what is shown of them: 200,000 characters of a prompt, 100,000 of a reply.',
    ),
    commands: Type.Array(commandAnswer, { description: 'What the model gives, with what is refused last.' }),
    changes: Type.Array(changeAnswer, {
      description:
        'What the commands would make of features, in sequence. Citations of messages that are not stored have ids of no meaning.',
    }),
    calls: described(Type.Integer(), 'Replies of the model, a repair included.', 1),
    input_tokens: described(Type.Integer(), 'Tokens that it read.', 850),
    output_tokens: described(Type.Integer(), 'Tokens that it wrote.', 60),
    cost: Type.Optional(
      described(Type.Number(), 'In the currency of the prices of the model; absent without prices.', 0.0004),
    ),
  },
  { title: 'IngestionPreview' },
);
export type PreviewAnswer = Static<typeof previewAnswer>;

const fromCommand = (command: PreviewedCommand): Static<typeof commandAnswer> => ({
  ...(command.command && { command: command.command }),
  ...fromSubject(command.subject),
  tag: command.tag,
  feature_name: command.name,
  ...(command.value !== undefined && { value: command.value }),
  ...fromValidity(command.validity),
  ...(command.isSingleValued !== undefined && { single_valued: command.isSingleValued }),
  messages: [...command.messages],
  ...(command.refused !== undefined && { refused: command.refused }),
});

const fromPreviewedChange = (change: PreviewedChange): Static<typeof changeAnswer> => ({
  action: change.action,
  ...(change.featureId !== undefined && { feature_id: change.featureId }),
  before: change.before ? fromState(change.before) : null,
  after: change.after ? fromState(change.after) : null,
});

export const fromPreview = (preview: IngestionPreview): PreviewAnswer => ({
  model: preview.model,
  outcome: preview.code === undefined ? 'succeeded' : 'failed',
  code: preview.code ?? null,
  reason: preview.reason ?? null,
  prompt: preview.prompt.map(({ role, content }) => ({ role, content })),
  reply: preview.reply ?? null,
  is_cut: preview.isCut,
  commands: preview.commands.map(fromCommand),
  changes: preview.changes.map(fromPreviewedChange),
  calls: preview.calls,
  input_tokens: preview.inputTokens,
  output_tokens: preview.outputTokens,
  ...(preview.cost !== undefined && { cost: preview.cost }),
});
