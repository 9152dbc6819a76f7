import { type MessageType } from '@loci/contracts';
import { type EventHandlers, type EventListener, type MessagePublisher, parseShape } from '@loci/messaging';

interface Listener {
  readonly subject: string;
  readonly hear: (payload: object) => void;
  readonly onGap: () => void;
}

/** Stands for the messages between processes. */
export class FakeEvents implements Pick<EventListener, 'hear'>, Pick<MessagePublisher, 'publish'> {
  private readonly listeners: Listener[] = [];
  private readonly published: { readonly subject: string; readonly payload: object }[] = [];

  hear<Payload extends object>({ subject }: MessageType<Payload>, handlers: EventHandlers<Payload>): void {
    this.listeners.push({
      subject,
      hear: (payload) => handlers.onEvent(payload as Payload),
      onGap: handlers.onGap,
    });
  }

  publish<Payload extends object>(type: MessageType<Payload>, payload: Payload): Promise<void> {
    const sent = parseShape(type.payload, JSON.parse(JSON.stringify(payload)));
    this.published.push({ subject: type.subject, payload: sent });
    return Promise.resolve();
  }

  /** All listeners hear an event. */
  tell<Payload extends object>({ subject }: MessageType<Payload>, payload: Payload): void {
    for (const one of this.listeners) if (one.subject === subject) one.hear(payload);
  }

  /** The connection is lost. */
  interrupt(): void {
    for (const one of this.listeners) one.onGap();
  }

  /** What was published until now was another test's. */
  forget(): void {
    this.published.length = 0;
  }

  sent<Payload extends object>({ subject }: MessageType<Payload>): readonly Payload[] {
    return this.published.filter((one) => one.subject === subject).map(({ payload }) => payload as Payload);
  }
}
