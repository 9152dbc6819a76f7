import { DeadLetterEntity } from './dead-letters/dead-letter.entity.js';
import { IdempotencyEntity } from './idempotency/idempotency.entity.js';
import { OutboxEntity } from './outbox/outbox.entity.js';
import { UnfinishedDeliveryEntity } from './unfinished-deliveries/unfinished-delivery.entity.js';

/** The tables that every service has in its own schema. Each connection knows them. */
export const PERSISTENCE_ENTITIES = [
  DeadLetterEntity,
  IdempotencyEntity,
  OutboxEntity,
  UnfinishedDeliveryEntity,
];
