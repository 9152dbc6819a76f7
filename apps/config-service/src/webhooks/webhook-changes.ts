import { Injectable } from '@nestjs/common';

/** Tells the deliveries of this process that a client has changed a webhook: it may have something to get. */
@Injectable()
export class WebhookChanges {
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  announce(): void {
    for (const listener of this.listeners) listener();
  }
}
