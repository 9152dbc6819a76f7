import { type AccessBounds, type Webhook, type WebhookDelivery } from '@loci/contracts';
import { scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type QueryDeepPartialEntity } from 'typeorm';
import { SCHEMA } from '../database.js';
import { rowsWithin } from '../rows-within.js';
import { COUNT_WEBHOOKS } from './count-webhooks.sql.js';
import { FIND_WEBHOOK } from './find-webhook.sql.js';
import { LIST_DELIVERIES } from './list-deliveries.sql.js';
import { LIST_WEBHOOKS } from './list-webhooks.sql.js';
import { LOCK_WEBHOOK } from './lock-webhook.sql.js';
import { SECRETS_OF_WEBHOOK } from './secrets-of-webhook.sql.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { toWebhook } from './webhook-rows.js';
import { WebhookEntity } from './webhook.entity.js';
import { type NewWebhook, type WebhookChange } from './webhook.js';

interface Page {
  readonly offset: number;
  readonly limit: number;
}

const NOW = (): string => 'now()';
const LAST_POSITION = (): string => `(SELECT position FROM ${SCHEMA}.notification_head)`;

/** Where webhooks are kept. One outside of the bounds that are asked for is as one that is not there. */
@Injectable()
export class WebhooksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** It gets what happens from now on. */
  async add({ bounds, projectUid, types, ...webhook }: NewWebhook, tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, rowsWithin(bounds));
    await manager.insert(WebhookEntity, {
      ...webhook,
      orgId: bounds.orgId ?? null,
      projectUid: projectUid ?? null,
      types: types ? [...types] : null,
      position: LAST_POSITION,
    });
  }

  /** Oldest first. */
  async list(within: AccessBounds, { offset, limit }: Page): Promise<{ webhooks: Webhook[]; total: number }> {
    const bounds = [within.orgId, within.projectId];
    const scope = rowsWithin(within);
    const [counted] = await this.unitOfWork.execute(COUNT_WEBHOOKS, bounds, { scope });
    const rows = await this.unitOfWork.execute(LIST_WEBHOOKS, [...bounds, offset, limit], { scope });
    return { webhooks: rows.map(toWebhook), total: counted?.total ?? 0 };
  }

  /** @param tx nothing else changes it until this transaction ends */
  async find(within: AccessBounds, id: string, tx?: Transaction): Promise<Webhook | undefined> {
    const values = [within.orgId, within.projectId, id];
    const options = { tx, scope: rowsWithin(within) };
    const [row] = await this.unitOfWork.execute(tx ? LOCK_WEBHOOK : FIND_WEBHOOK, values, options);
    return row && toWebhook(row);
  }

  /**
   * What failed is tried again at once, and so is what ended its process, and what is under way.
   * @param id of one that was found in this transaction
   */
  async change(within: AccessBounds, id: string, change: WebhookChange, tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, rowsWithin(within));
    const { url, description, types, isEnabled, skipsPending } = change;
    await manager.update(WebhookEntity, { id }, {
      ...BEGUN_ANEW,
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(types !== undefined && { types: types && [...types] }),
      ...(isEnabled !== undefined && { isEnabled, disabledReason: null }),
      ...(isEnabled === true && { attempts: 0, failingSince: null }),
      ...(skipsPending === true && { ...NOTHING_PENDING, position: LAST_POSITION }),
    } satisfies QueryDeepPartialEntity<WebhookEntity>);
    if (skipsPending !== true) return;
    const retrying = { webhookId: id, status: 'retrying' } as const;
    await manager.update(WebhookDeliveryEntity, retrying, { status: 'dropped' });
  }

  /** @param id of one that was found in this transaction */
  async remove(within: AccessBounds, id: string, tx: Transaction): Promise<void> {
    const manager = await scopedManager(tx, rowsWithin(within));
    await manager.delete(WebhookEntity, { id });
  }

  /**
   * The secret before this one stays beside it for the grace; those before that end now. Also tries again, as a change does.
   * @param id of one that was found in this transaction
   * @param change.secret encrypted
   */
  async rotate(
    within: AccessBounds,
    id: string,
    { secret, graceSeconds }: { secret: string; graceSeconds: number },
    tx: Transaction,
  ): Promise<void> {
    const manager = await scopedManager(tx, rowsWithin(within));
    await manager.update(WebhookEntity, { id }, {
      formerSecret: graceSeconds > 0 ? () => 'secret' : null,
      formerExpiresAt: graceSeconds > 0 ? () => `now() + interval '${Math.trunc(graceSeconds)} s'` : null,
      secret,
      rotatedAt: NOW,
      ...BEGUN_ANEW,
    } satisfies QueryDeepPartialEntity<WebhookEntity>);
  }

  /** Newest first. @param id of one that was found */
  async deliveries(
    within: AccessBounds,
    id: string,
    { offset, limit }: Page,
  ): Promise<{ deliveries: WebhookDelivery[]; total: number }> {
    const scope = rowsWithin(within);
    const count = await this.unitOfWork.single(
      (manager) => manager.countBy(WebhookDeliveryEntity, { webhookId: id }),
      scope,
    );
    const rows = await this.unitOfWork.execute(LIST_DELIVERIES, [id, offset, limit], { scope });
    const deliveries = rows.map((row) => ({
      eventId: row.event_id,
      type: row.type,
      status: row.status,
      attempts: row.attempts,
      firstAttemptAt: row.first_attempt_at.toISOString(),
      lastAttemptAt: row.last_attempt_at.toISOString(),
      nextAttemptAt: row.next_attempt_at?.toISOString(),
      httpStatus: row.http_status ?? undefined,
      error: row.error ?? undefined,
      durationMs: row.duration_ms,
    }));
    return { deliveries, total: count };
  }

  /** Those that deliveries are signed with now, encrypted; the current one first. @param id of one that was found */
  async secretsOf(within: AccessBounds, id: string): Promise<string[]> {
    const [row] = await this.unitOfWork.execute(SECRETS_OF_WEBHOOK, [id], { scope: rowsWithin(within) });
    if (!row) return [];
    return row.former_secret === null ? [row.secret] : [row.secret, row.former_secret];
  }
}

/** Without its lease, what comes of the delivery under way is not noted: it was sent to what the webhook was before. */
const BEGUN_ANEW = { nextAttemptAt: NOW, unfinished: 0, leaseUntil: null, leaseToken: null };
const NOTHING_PENDING = { attempts: 0, failingSince: null, lastError: null };
