/** A message that could not be handled, with all that is needed to examine and to replay it. */
export interface DeadLetter {
  readonly stream: string;
  readonly consumer: string;
  readonly subject: string;
  /** `Nats-Msg-Id` of the message, or its sequence number in the stream when it came without one. */
  readonly messageId: string;
  /** The body as it was received. */
  readonly payload: string;
  readonly reason: string;
  readonly deliveries: number;
  /** Only when handling it ended its process too often: the same content is not handled while this letter waits. */
  readonly fingerprint?: string | undefined;
}

/** Where messages go that could not be handled. Durable: the stream removes a message only after this has stored it. */
export abstract class DeadLetterSink {
  /** Storing the same message of the same consumer twice keeps one. */
  abstract store(letter: DeadLetter): Promise<void>;
}
