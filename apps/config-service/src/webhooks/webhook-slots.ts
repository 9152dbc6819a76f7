import { type DueWebhook } from './webhook.js';

export const MAX_DELIVERIES = 64;

/** What one organization has of them, so that receivers that hang cost others nothing. */
export const MAX_DELIVERIES_OF_ORGANIZATION = 8;

/** For organizations that have none under way: receivers that are slow for several organizations delay no other. */
const KEPT_FOR_OTHERS = MAX_DELIVERIES / 8;

/** Those whose last delivery was in vain have half of them. */
const MAX_FAILING = MAX_DELIVERIES / 2;

/** The deliveries that are under way in this process. */
export class WebhookSlots {
  private readonly taken = new Map<string, DueWebhook>();

  /** One with a last try has no other beside it. @returns false when there is no room for this one */
  take(webhook: DueWebhook): boolean {
    const all = [...this.taken.values()];
    const ofOrganization = all.filter(({ orgId }) => orgId === webhook.orgId).length;
    const failing = all.filter(({ isFailing }) => isFailing).length;
    const isRefused =
      this.taken.has(webhook.id) ||
      (webhook.isLastTry && all.length > 0) ||
      all.some(({ isLastTry }) => isLastTry) ||
      all.length >= MAX_DELIVERIES - (ofOrganization === 0 ? 0 : KEPT_FOR_OTHERS) ||
      ofOrganization >= MAX_DELIVERIES_OF_ORGANIZATION ||
      (webhook.isFailing && failing >= MAX_FAILING);
    if (!isRefused) this.taken.set(webhook.id, webhook);
    return !isRefused;
  }

  free({ id }: DueWebhook): void {
    this.taken.delete(id);
  }
}
