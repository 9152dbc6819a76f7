/** A message that nobody could handle, with all that is needed to look into it and to replay it. */
export interface DeadLetter {
  readonly stream: string;
  readonly consumer: string;
  readonly subject: string;
  /** `Nats-Msg-Id` of the message, or its place in the stream when it came without one. */
  readonly messageId: string;
  /** The body as it arrived. */
  readonly payload: string;
  readonly reason: string;
  readonly deliveries: number;
}

/** Where messages go that nobody could handle. Durable: the stream lets go of a message only after this took it. */
export abstract class DeadLetterSink {
  /** Storing the same message of the same consumer twice keeps one. */
  abstract store(letter: DeadLetter): Promise<void>;
}
