import { type MessageType } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { NatsLink } from '../connection/nats-link.js';
import { EventListener } from './event-listener.js';

/** Tells processes what no stream keeps, and hears it. Nothing may depend on a signal but how soon something is known. */
@Injectable()
export class Signals {
  constructor(
    private readonly link: NatsLink,
    private readonly listener: EventListener,
  ) {}

  /** While the process is not connected, no other one is told. */
  tell<Payload extends object>({ subject }: MessageType<Payload>, payload: Payload): void {
    const { connection, isConnected } = this.link;
    if (!isConnected || connection.isDraining() || connection.isClosed()) return;
    connection.publish(subject, JSON.stringify(payload));
  }

  /** Hears what this process tells, too. */
  hear<Payload extends object>(type: MessageType<Payload>, onSignal: (payload: Payload) => void): void {
    this.listener.hear(type, { onEvent: onSignal, onGap: () => undefined });
  }
}
