import { type MessageType } from '@loci/contracts';
import { Logger } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { parseShape } from '../shape/parse-shape.js';

export interface EventHandlers<Payload extends object> {
  readonly onEvent: (payload: Payload) => void;
  /** Events may have been missed: whatever was derived from them is in doubt. */
  readonly onGap: () => void;
}

/**
 * Hears events in the moment in which they are published, every process each of them. For what a process remembers only
 * to be fast: events that come while it is not connected, or may not hear them, are missed, and it is told that they may
 * have been.
 */
@Injectable()
export class EventListener {
  constructor(
    private readonly link: NatsLink,
    private readonly logger: Logger,
  ) {}

  /** Listens until the connection is closed. */
  hear<Payload extends object>(
    { subject, payload }: MessageType<Payload>,
    handlers: EventHandlers<Payload>,
  ): void {
    this.link.onLost(handlers.onGap);
    this.link.onReconnect(handlers.onGap);
    this.link.subscribe(subject, {
      onMissed: handlers.onGap,
      onMessage: (message) => {
        // what a client has JetStream send here has the subject that it was stored under
        if (message.subject !== subject) return;
        try {
          handlers.onEvent(parseShape(payload, message.json()));
        } catch (failure) {
          this.logger.error('could not read an event', { subject, error: failure });
          handlers.onGap();
        }
      },
    });
  }
}
