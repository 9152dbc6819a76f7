/** A message that may have ended the process that handled it. */
export interface SuspectMessage {
  readonly id: string;
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
}

export interface Suspicion {
  readonly id: string;
  /** Another attempt to handle it was begun before, and has not ended. */
  readonly isUnfinished: boolean;
  /** A dead letter of the same consumer says that the same content ended its process, and waits. */
  readonly isSetAside: boolean;
}

/** Durable notes that a consumer has begun to handle a message. Only messages that were delivered before are noted. */
export abstract class UnfinishedDeliveries {
  /** Notes the first attempt for each of the messages that has no note yet. @returns what is known of each */
  abstract begin(consumer: string, messages: readonly SuspectMessage[]): Promise<readonly Suspicion[]>;

  /** Notes another attempt. @returns how many before it have not ended */
  abstract beginAgain(consumer: string, id: string): Promise<number>;

  /** Forgets all attempts: the last one ended in an orderly way. */
  abstract takeBack(consumer: string, ids: readonly string[]): Promise<void>;

  /** @returns the fingerprints of what ended its process too often, and waits as dead letters */
  abstract setAside(consumer: string): Promise<readonly string[]>;
}
