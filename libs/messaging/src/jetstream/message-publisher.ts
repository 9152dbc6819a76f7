import { AppError, type MessageType, tooLarge } from '@loci/contracts';
import { currentTraceparent, inSpan, RequestContext, SpanKind } from '@loci/platform';
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { type HeaderFields, scopeFields, toHeaders, TRACE_LINKS, traceField, tracesOf } from '../headers.js';
import { exceedsMaxPayload, serviceUnavailable } from '../rpc/rpc-failure.js';
import { wasNotTaken } from './jetstream-errors.js';
import { JetStreamTopology } from './jetstream-topology.js';

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
    private readonly topology: JetStreamTopology,
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
   * Publishes and waits for the server to confirm. A stream that is missing is created, unless another process makes it.
   * @throws AppError `service_unavailable` when it was not confirmed, `body_too_large`
   */
  send(message: OutgoingMessage): Promise<void> {
    const { subject, id, headers = {} } = message;
    const description = {
      kind: SpanKind.PRODUCER,
      attributes: { 'messaging.system': 'nats', 'messaging.message.id': id },
      ...tracesOf(headers),
    };
    return inSpan(`publish ${subject}`, description, () =>
      this.confirm({ ...message, headers: withTrace(headers) }),
    );
  }

  private async confirm(message: OutgoingMessage): Promise<void> {
    try {
      await this.attempt(message).catch(async (error: unknown) => {
        if (!wasNotTaken(error)) throw error;
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

/** The receiver continues the trace of the publication, and links to the other requests that share it. */
function withTrace(headers: HeaderFields): HeaderFields {
  const publication = currentTraceparent();
  if (publication === undefined) return headers;
  const others = Object.entries(headers).filter(([name]) => name !== TRACE_LINKS);
  const { links } = tracesOf(headers);
  return {
    ...Object.fromEntries(others),
    ...traceField(publication),
    ...(links.length > 0 && { [TRACE_LINKS]: links.join() }),
  };
}

/** Whether a publication failed because its stream refused it, as one does that is full; not because the server was not reached. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof JetStreamApiError;

function publishFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (exceedsMaxPayload(error)) {
    return tooLarge('body_too_large', 'The message is too large for the message store.', {}, error);
  }
  return serviceUnavailable(error);
}
