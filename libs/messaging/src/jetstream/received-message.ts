import { type MessageType } from '@loci/contracts';
import { type RequestScope } from '@loci/platform';
import { type JsMsg } from '@nats-io/jetstream';
import { causesOf, readScope } from '../headers.js';
import { parseShape } from '../shape/parse-shape.js';
import { type ConsumerDeclaration } from './declarations.js';

/** A message as a handler sees it. It may come again, even after it was handled. */
export interface ReceivedMessage<Payload extends object> {
  readonly id: string;
  readonly payload: Payload;
  /** 1 = never delivered before. */
  readonly deliveries: number;
  readonly publishedAt: Date;
  /** The `traceparent`s of what caused it; none where nothing is traced. */
  readonly causes: readonly string[];
  /** The request that caused it. */
  readonly scope: RequestScope;
}

/**
 * Reads a message.
 * @throws when it is no JSON, or not what the type says
 */
export const readMessage = <Payload extends object>(
  type: MessageType<Payload>,
  message: JsMsg,
): ReceivedMessage<Payload> => ({
  id: messageId(message),
  payload: parseShape(type.payload, message.json()),
  deliveries: message.info.deliveryCount,
  publishedAt: message.time,
  causes: causesOf(message.headers),
  scope: readScope(message.headers),
});

/** `Nats-Msg-Id`, or the sequence number in the stream. */
export const messageId = (message: JsMsg): string =>
  namedId(message) || `${message.info.stream}:${message.seq}`;

/** The driver throws where it cannot read the headers, and such a message has to become a dead letter, too. */
function namedId(message: JsMsg): string | undefined {
  try {
    return message.headers?.get('Nats-Msg-Id');
  } catch {
    return undefined;
  }
}

/** Whether this consumer delivered it, of its own stream and subject, rather than one that was told to deliver to its inbox. */
export const isDeliveredBy = ({ name, stream, subject }: ConsumerDeclaration, message: JsMsg): boolean =>
  message.subject === subject && message.info.stream === stream.name && message.info.consumer === name;
