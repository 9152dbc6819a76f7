import {
  type AddedEpisodes,
  type AddEpisodesRequest,
  type IdempotencyToken,
  MAX_TTL_SECONDS,
  type NewEpisode,
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
} from '@loci/platform/schema';
import { type Caller } from '../access/caller.js';
import { producerFor } from '../access/producers.js';
import { type Static, Type } from 'typebox';
import { moment } from '../wire/schema/moment.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { requestedTypes, typeList } from './memory-types.wire.js';

export const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;

export class MessageBody extends request('MessageSpec', {
  content: text('MAX_CONTENT_CHARS'),

  /** Absent = the one that the key is bound to, else `user`. */
  producer: optional(text('MAX_LABEL_CHARS')),
  produced_for: byDefault(text('MAX_LABEL_CHARS'), ''),
  role: byDefault(text('MAX_LABEL_CHARS'), ''),

  /** Absent = now. */
  timestamp: nullish(moment),
  metadata: byDefault(textMap(METADATA_LIMITS), {}),
  episode_type: nullish(oneOf(['message'])),
  ttl_seconds: nullish(
    withKeywords(integer({ min: 1, max: MAX_TTL_SECONDS }), {
      description:
        'How long it lives from when it is added: then no answer shows it any more, and it is deleted with what was learned from it alone. At most as long as the setting of the project; absent = as long as that.',
    }),
  ),
}) {}

export class AddMemoriesBody extends request('AddMemoriesSpec', {
  ...TenantBody.schema.properties,
  /** Empty = both. */
  types: byDefault(typeList, []),
  messages: listOf(MessageBody.schema, { min: 1, max: 'MAX_MESSAGES_PER_ADD' }),
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
  content: message.content,
  producerId: producerFor(caller, message.producer),
  producerRole: message.role,
  producedForId: message.produced_for,
  createdAt: message.timestamp,
  metadata: message.metadata,
  ttlSeconds: message.ttl_seconds,
});

export const addedMemoriesAnswer = Type.Object(
  {
    results: Type.Array(Type.Object({ uid: Type.String() }, { title: 'AddMemoryResult' }), {
      description: 'In the order of the messages.',
    }),
  },
  { title: 'AddMemoriesResponse' },
);
export type AddedMemoriesAnswer = Static<typeof addedMemoriesAnswer>;

export const fromAddedEpisodes = ({ uids }: AddedEpisodes): AddedMemoriesAnswer => ({
  results: uids.map((uid) => ({ uid })),
});
