import { AppError, type MessageType, tooLarge } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { type HeaderFields, scopeFields, toHeaders } from '../headers.js';
import { exceedsMaxPayload, serviceUnavailable } from '../rpc/rpc-failure.js';
import { wasTakenByNobody } from './jetstream-errors.js';
import { TopologyKeeper } from './topology-keeper.js';

/** A message ready to be stored. */
export interface OutgoingMessage {
  readonly subject: string;
  /** JSON text. */
  readonly body: string;
  /** The same id within two minutes is stored once. */
  readonly id: string;
  readonly headers?: HeaderFields;
}

const ACK_TIMEOUT_MS = 5_000;

/** Puts messages into JetStream. When it returns, the server has the message; when it throws, perhaps. */
@Injectable()
export class MessagePublisher {
  private readonly store: JetStreamClient;

  constructor(
    private readonly link: NatsLink,
    private readonly topology: TopologyKeeper,
  ) {
    this.store = jetstream(link.connection, { timeout: ACK_TIMEOUT_MS });
  }

  /** Publishes a typed message; it belongs to the current request unless the headers say otherwise. */
  publish<Payload extends object>(
    type: MessageType<Payload>,
    payload: Payload,
    { id, headers = scopeFields(RequestContext.current()) }: Pick<OutgoingMessage, 'id' | 'headers'>,
  ): Promise<void> {
    return this.send({ subject: type.subject, body: JSON.stringify(payload), id, headers });
  }

  /**
   * Publishes and waits for the server to confirm. A stream that is missing is created.
   * @throws AppError `service_unavailable` when it was not confirmed, `body_too_large`
   */
  async send(message: OutgoingMessage): Promise<void> {
    try {
      await this.attempt(message).catch(async (error: unknown) => {
        if (!wasTakenByNobody(error)) throw error;
        await this.topology.ensureStreamOf(message.subject);
        await this.attempt(message);
      });
    } catch (error) {
      throw publishFailure(error);
    }
  }

  private async attempt({ subject, body, id, headers = {} }: OutgoingMessage): Promise<void> {
    await this.link.whileConnected(() =>
      this.store.publish(subject, body, { msgID: id, headers: toHeaders(headers) }),
    );
  }
}

function publishFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (exceedsMaxPayload(error)) {
    return tooLarge('body_too_large', 'The message is too large for the message store.', {}, error);
  }
  return serviceUnavailable(error);
}
