import {
  type AddedEpisodes,
  type AddEpisodesRequest,
  type IdempotencyToken,
  type Instant,
  type MemoryType,
  type NewEpisode,
} from '@loci/contracts';
import { type Caller } from '../access/caller.js';
import { producerFor } from '../access/producers.js';
import { type Static, Type } from 'typebox';
import { listOf, textMap } from '../wire/reading/collections.js';
import { moment, oneOf } from '../wire/reading/scalars.js';
import { objectOf, Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';
import { requestedTypes, typeList } from './memory-types.wire.js';

export const METADATA_LIMITS = {
  maxKeys: 'MAX_METADATA_KEYS',
  maxKeyChars: 128,
  maxChars: 'MAX_METADATA_VALUE_CHARS',
} as const;

export class MessageBody {
  @Wire(text('MAX_CONTENT_CHARS'))
  readonly content!: string;

  /** Absent = the one that the key is bound to, else `user`. */
  @Wire(text('MAX_LABEL_CHARS'), { optional: true })
  readonly producer?: string | undefined;

  @Wire(text('MAX_LABEL_CHARS'), { default: '' })
  readonly produced_for!: string;

  @Wire(text('MAX_LABEL_CHARS'), { default: '' })
  readonly role!: string;

  /** Absent = now. */
  @Wire(moment, { optional: true, nullable: true })
  readonly timestamp?: Instant | undefined;

  @Wire(textMap(METADATA_LIMITS), { default: {} })
  readonly metadata!: Readonly<Record<string, string>>;

  @Wire(oneOf(['message']), { optional: true, nullable: true })
  readonly episode_type?: 'message' | undefined;
}

export class AddMemoriesBody extends TenantBody {
  /** Empty = both. */
  @Wire(typeList, { default: [] })
  readonly types!: readonly MemoryType[];

  @Wire(listOf(objectOf(MessageBody), { min: 1, max: 'MAX_MESSAGES_PER_ADD' }))
  readonly messages!: readonly MessageBody[];
}

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
