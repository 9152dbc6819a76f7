import {
  type AddedEpisodes,
  type AddEpisodesRequest,
  type IdempotencyToken,
  MAX_TTL_SECONDS,
  type NewEpisode,
  type SaidMessage,
} from '@loci/contracts';
import {
  byDefault,
  integer,
  listOf,
  nullish,
  oneOf,
  optional,
  text,
  textMap,
  withKeywords,
  described,
} from '@loci/platform/schema';
import { type Caller } from '../access/caller.js';
import { producerFor } from '../access/producers.js';
import { type Static, Type } from 'typebox';
import { METADATA_LIMITS } from '../wire/schema/metadata-limits.js';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { requestedTypes, typeList } from './memory-types.wire.js';
import { EXAMPLE_INSTANT, EXAMPLE_UID } from '../wire/examples.js';

export class MessageBody extends request('MessageSpec', {
  content: described(
    text('MAX_CONTENT_CHARS'),
    'What was said. It is stored as it is; an empty text is allowed.',
    'Alice prefers window seats.',
  ),
  producer: described(
    optional(text('MAX_LABEL_CHARS')),
    'Who said it: the id of a user or an agent. Absent = the one that the key is bound to, else `user`.',
    'alice',
  ),
  produced_for: described(
    byDefault(text('MAX_LABEL_CHARS'), ''),
    'Whom it was said to; empty = not known.',
    'travel-agent',
  ),
  role: described(
    byDefault(text('MAX_LABEL_CHARS'), ''),
    'Role of the producer, such as `user` or `assistant`; any text.',
    'user',
  ),
  timestamp: described(
    nullish(moment),
    'When it was said. Absent or null = now. ISO 8601, UTC when it names no offset; or Unix seconds, milliseconds above 10^12.',
    EXAMPLE_INSTANT,
  ),
  metadata: described(
    byDefault(textMap(METADATA_LIMITS), {}),
    'Texts by key, for filters and for choosing sets; `user_id` and `session_id` say whose message it is and of which session.',
    { user_id: 'alice', session_id: 's-17' },
  ),
  episode_type: described(nullish(oneOf(['message'])), 'Always `message`; absent or null = the same.'),
  ttl_seconds: nullish(
    withKeywords(integer({ min: 1, max: MAX_TTL_SECONDS }), {
      description:
        'How long it lives from when it is added: then no answer shows it any more, and it is deleted with what was learned from it alone. At most as long as the setting of the project; absent = as long as that.',
    }),
  ),
}) {}

export class AddMemoriesBody extends request('AddMemoriesSpec', {
  ...TenantBody.schema.properties,
  types: described(byDefault(typeList, []), 'Kinds of memory that take the messages; empty = all.', [
    'episodic',
    'semantic',
  ]),
  messages: described(
    listOf(MessageBody.schema, { min: 1, max: 'MAX_MESSAGES_PER_ADD' }),
    'The messages, oldest first; all are stored or none.',
  ),
}) {}

/** @throws AppError `producer_not_allowed` when a message is not the caller's to say */
export const toAddEpisodes = (
  body: AddMemoriesBody,
  caller: Caller,
  idempotency: IdempotencyToken | undefined,
): AddEpisodesRequest => ({
  tenant: tenantOf(body),
  types: requestedTypes(body.types),
  episodes: body.messages.map((message) => toNewEpisode(message, caller)),
  idempotency,
});

const toNewEpisode = (message: MessageBody, caller: Caller): NewEpisode => ({
  ...toSaidMessage(message, caller),
  ttlSeconds: message.ttl_seconds,
});

/** @throws AppError `producer_not_allowed` when it is not the caller's to say */
export const toSaidMessage = (
  message: Omit<MessageBody, 'episode_type' | 'ttl_seconds'>,
  caller: Caller,
): SaidMessage => ({
  content: message.content,
  producerId: producerFor(caller, message.producer),
  producerRole: message.role,
  producedForId: message.produced_for,
  createdAt: message.timestamp,
  metadata: message.metadata,
});

export const addedMemoriesAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          uid: described(Type.String(), 'Id of the stored episode.', EXAMPLE_UID),
        },
        { title: 'AddMemoryResult' },
      ),
      {
        description: 'In the order of the messages.',
      },
    ),
  },
  { title: 'AddMemoriesResponse' },
);
export type AddedMemoriesAnswer = Static<typeof addedMemoriesAnswer>;

export const fromAddedEpisodes = ({ uids }: AddedEpisodes): AddedMemoriesAnswer => ({
  results: uids.map((uid) => ({ uid })),
});
