import { Module } from '@nestjs/common';
import { OutboxRelay } from './outbox/outbox-relay.js';
import { RetentionSweeper } from './retention/retention-sweeper.js';

/** Relays the outbox of the service and keeps its tables short. For at least one of the service's processes. */
@Module({ providers: [OutboxRelay, RetentionSweeper] })
export class OutboxRelayModule {}
