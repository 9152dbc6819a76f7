import {
  clientEvent,
  configNotificationsRaised,
  notification,
  type RecordedNotification,
} from '@loci/contracts';
import { Outbox, type Transaction, UnitOfWork } from '@loci/persistence';
import { Logger, MAX_UNFINISHED, Metrics, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { ConfigServiceEnv } from '../env.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { retryInMs } from '../resources/probe-schedule.js';
import { WebhookChanges } from './webhook-changes.js';
import { UNSIGNED, WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { MAX_DELIVERIES, MAX_DELIVERIES_OF_ORGANIZATION, WebhookSlots } from './webhook-slots.js';
import {
  type ClaimedWebhook,
  type DeliveryOutcome,
  type DisabledWebhook,
  type DueWebhook,
} from './webhook.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';

const HOUR_MS = 60 * 60 * 1000;

/** A process that ended in the middle of a delivery is not waited for longer than this, beside the delivery itself. */
const LEASE_MARGIN_MS = 5_000;

/** Then others have their turn. */
const TURN_MS = 5_000;
const EVENTS_AT_ONCE = 20;

/** The longest pause that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

const GONE = 410;

const PROCESS_ENDED = `Its process ended ${MAX_UNFINISHED} times in a row while it delivered to this receiver.`;

/** Receivers for which there was nothing for a minute move on, as often as that. */
const IDLE_MS = 60_000;
const MICROSECONDS = 1_000;

/** Delivers events to webhooks: to each in their sequence, and each until it is taken. */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly slots = new WebhookSlots();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly leaseMs: number;
  private readonly delivered;
  private readonly seconds;
  private readonly task: PeriodicTask;
  private nextAdvanceMs = 0;

  constructor(
    private readonly env: ConfigServiceEnv,
    private readonly webhooks: WebhookWorkRepository,
    private readonly notifications: NotificationsService,
    private readonly changes: WebhookChanges,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.leaseMs = env.WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;
    this.delivered = metrics.counter('loci_webhook_deliveries_total', 'Deliveries to webhooks by outcome.', [
      'outcome',
    ]);
    this.seconds = metrics.histogram('loci_webhook_delivery_seconds', 'Time of a delivery to a webhook.', [
      'outcome',
    ]);
    metrics.gauge('loci_webhooks', 'Webhooks by state.', ['state'], async (gauge) => {
      const counts = await webhooks.counts().catch(() => []);
      gauge.reset();
      for (const { state, webhooks: count } of counts) gauge.set({ state }, count);
    });
    this.task = new PeriodicTask({
      name: 'look for webhooks to deliver to',
      intervalMs: env.WEBHOOK_SWEEP_INTERVAL_MS,
      work: () => this.takeDue(),
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.notifications.onRecorded(() => this.task.wake());
    this.changes.onChange(() => this.task.wake());
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.task.stop();
    await Promise.all(this.running);
  }

  /** @returns whether there was anything to deliver, or is under way */
  private async takeDue(): Promise<boolean> {
    await this.advanceIdle();
    await this.setAside();
    const limits = { perOrganization: MAX_DELIVERIES_OF_ORGANIZATION, limit: MAX_DELIVERIES };
    const due = await this.webhooks.due(limits);
    for (const one of due) {
      if (this.stopping.signal.aborted) break;
      if (this.slots.take(one)) this.begin(one);
      // it waits for those that are under way, and no other may begin meanwhile
      if (one.isLastTry) break;
    }
    return due.length > 0 || this.running.size > 0;
  }

  private async advanceIdle(): Promise<void> {
    if (performance.now() < this.nextAdvanceMs) return;
    this.nextAdvanceMs = performance.now() + IDLE_MS;
    await this.webhooks.advanceIdle(IDLE_MS * MICROSECONDS);
  }

  private async setAside(): Promise<void> {
    if (!(await this.webhooks.isAnySetAside())) return;
    const disabled = await this.unitOfWork.run(async (tx) => {
      const webhooks = await this.webhooks.disableSetAside(PROCESS_ENDED, tx);
      for (const webhook of webhooks) await this.raiseDisabled(webhook, PROCESS_ENDED, tx);
      return webhooks;
    });
    for (const { id } of disabled) this.tellDisabled(id, PROCESS_ENDED);
  }

  private begin(due: DueWebhook): void {
    const turn = this.turn(due)
      .catch((error: unknown) =>
        this.logger.warn('a webhook could not be served', { webhook: due.id, error }),
      )
      .finally(() => {
        this.slots.free(due);
        this.running.delete(turn);
      });
    this.running.add(turn);
  }

  /** Delivers to one webhook, until there is nothing more, it fails, or it had its time. */
  private async turn({ id }: DueWebhook): Promise<void> {
    let claim = await this.webhooks.claim(id, this.leaseMs);
    if (!claim) return;
    const endsAt = performance.now() + TURN_MS;
    try {
      for (;;) {
        const events = await this.notifications.following(claim, claim.position, EVENTS_AT_ONCE);
        for (const event of events) {
          if (performance.now() > endsAt || !(await this.deliver(claim, event))) return;
          // as its row is now: what failed before it is over
          claim = { ...claim, position: event.position, attempts: 0, failingSince: undefined };
        }
        if (events.length < EVENTS_AT_ONCE) return;
      }
    } finally {
      await this.webhooks.release(claim);
    }
  }

  /** @returns whether the next one may follow */
  private async deliver(claim: ClaimedWebhook, event: RecordedNotification): Promise<boolean> {
    const { signal } = this.stopping;
    if (signal.aborted) return false;
    const outcome = await this.send(claim, event, signal);
    if (!outcome) return false;
    const labels = { outcome: outcome.isDelivered ? 'delivered' : 'failed' };
    this.delivered.inc(labels);
    this.seconds.observe(labels, outcome.durationMs / 1000);
    if (outcome.isDelivered) return this.webhooks.settleDelivered(claim, event, outcome, this.leaseMs);
    await this.fail(claim, event, outcome);
    return false;
  }

  /** @returns undefined when the signal is aborted */
  private async send(
    { id, url, secrets: sealed }: ClaimedWebhook,
    event: RecordedNotification,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome | undefined> {
    const secrets = this.secrets.openAll(id, sealed);
    if (!secrets) return UNSIGNED;
    const body = JSON.stringify(clientEvent(event));
    return this.sender.send({ url, secrets, eventId: event.id, body }, signal).catch(() => undefined);
  }

  private async fail(
    claim: ClaimedWebhook,
    event: RecordedNotification,
    outcome: DeliveryOutcome,
  ): Promise<void> {
    const schedule = { minMs: this.env.WEBHOOK_RETRY_MIN_MS, maxMs: this.env.WEBHOOK_RETRY_MAX_MS };
    const asked = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const pauseMs = Math.max(retryInMs(Math.min(claim.attempts + 1, 30), schedule), asked);
    const disabledReason = this.reasonToDisable(claim, outcome);
    this.task.stayAwake(pauseMs + this.leaseMs);
    const isSettled = await this.unitOfWork.run(async (tx) => {
      const change = { pauseMs, disabledReason };
      if (!(await this.webhooks.settleFailed(claim, event, outcome, change, tx))) return false;
      if (disabledReason !== undefined) await this.raiseDisabled(claim, disabledReason, tx);
      return true;
    });
    if (isSettled && disabledReason !== undefined) this.tellDisabled(claim.id, disabledReason);
  }

  private async raiseDisabled(webhook: DisabledWebhook, reason: string, tx: Transaction): Promise<void> {
    const data = { webhook_id: webhook.id, reason };
    const raised = notification(uuidv7(), 'webhook.disabled', webhook, data);
    await this.outbox.append(tx, configNotificationsRaised, raised);
  }

  private tellDisabled(webhook: string, reason: string): void {
    this.outbox.wake();
    this.logger.warn('a webhook is disabled', { webhook, reason });
  }

  private reasonToDisable(
    { failingSince }: ClaimedWebhook,
    { httpStatus, error = '' }: DeliveryOutcome,
  ): string | undefined {
    if (httpStatus === GONE) return 'The receiver answered HTTP 410: it wants nothing more.';
    const hours = this.env.WEBHOOK_DISABLE_AFTER_HOURS;
    if (!failingSince || Date.now() - failingSince.getTime() < hours * HOUR_MS) return undefined;
    return `It has taken nothing since ${failingSince.toISOString()}. ${error}`;
  }
}
