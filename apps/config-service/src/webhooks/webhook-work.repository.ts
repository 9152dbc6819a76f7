import { type RecordedNotification } from '@loci/contracts';
import { ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { ADVANCE_IDLE_WEBHOOKS } from './advance-idle-webhooks.sql.js';
import { CLAIM_WEBHOOK } from './claim-webhook.sql.js';
import { DISABLE_SET_ASIDE } from './disable-set-aside.sql.js';
import { DUE_WEBHOOKS } from './due-webhooks.sql.js';
import { IS_ANY_SET_ASIDE } from './is-any-set-aside.sql.js';
import { RELEASE_WEBHOOK } from './release-webhook.sql.js';
import { REMOVE_OLD_DELIVERIES } from './remove-old-deliveries.sql.js';
import { SETTLE_DELIVERED } from './settle-delivered.sql.js';
import { SETTLE_FAILED } from './settle-failed.sql.js';
import { WEBHOOK_COUNTS } from './webhook-counts.sql.js';
import { WebhookEntity } from './webhook.entity.js';
import {
  type ClaimedWebhook,
  type DeliveryOutcome,
  type DisabledWebhook,
  type DueWebhook,
} from './webhook.js';

/** Webhooks of all organizations, for the work on them in the background. No request comes here. */
@Injectable()
export class WebhookWorkRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those that have something to get and no process that delivers to them, the most pressing first. */
  async due({ perOrganization, limit }: { perOrganization: number; limit: number }): Promise<DueWebhook[]> {
    const rows = await this.unitOfWork.execute(DUE_WEBHOOKS, [perOrganization, limit], {
      scope: ROWS_OF_ALL,
    });
    return rows.map(({ id, org_id, is_failing, is_last_try }) => ({
      id,
      orgId: org_id ?? undefined,
      isFailing: is_failing,
      isLastTry: is_last_try,
    }));
  }

  /** @returns undefined when another process was faster */
  async claim(id: string, leaseMs: number): Promise<ClaimedWebhook | undefined> {
    const [row] = await this.unitOfWork.execute(CLAIM_WEBHOOK, [id, leaseMs], { scope: ROWS_OF_ALL });
    return (
      row && {
        id: row.id,
        token: row.token,
        orgId: row.org_id ?? undefined,
        projectUid: row.project_uid ?? undefined,
        url: row.url,
        types: row.types ?? undefined,
        secrets: row.former_secret === null ? [row.secret] : [row.secret, row.former_secret],
        position: Number(row.position),
        attempts: row.attempts,
        failingSince: row.failing_since ?? undefined,
      }
    );
  }

  /** @returns whether it goes on: the claim still holds, and no client disabled it */
  async settleDelivered(
    claim: ClaimedWebhook,
    event: RecordedNotification,
    outcome: DeliveryOutcome,
    leaseMs: number,
  ): Promise<boolean> {
    const values = [...settled(claim, event, outcome), leaseMs];
    const [row] = await this.unitOfWork.execute(SETTLE_DELIVERED, values, { scope: ROWS_OF_ALL });
    return row?.is_enabled ?? false;
  }

  /** @returns whether the claim held */
  async settleFailed(
    claim: ClaimedWebhook,
    event: RecordedNotification,
    outcome: DeliveryOutcome,
    { pauseMs, disabledReason }: { pauseMs: number; disabledReason: string | undefined },
    tx: Transaction,
  ): Promise<boolean> {
    const values = [...settled(claim, event, outcome), pauseMs, disabledReason];
    const rows = await this.unitOfWork.execute(SETTLE_FAILED, values, { tx, scope: ROWS_OF_ALL });
    return rows.length > 0;
  }

  /** Whether any is to be disabled as below. */
  async isAnySetAside(): Promise<boolean> {
    const [row] = await this.unitOfWork.execute(IS_ANY_SET_ASIDE, [], { scope: ROWS_OF_ALL });
    return row?.is_any ?? false;
  }

  /** Disables those whose deliveries ended their process so often that none may begin. */
  async disableSetAside(reason: string, tx: Transaction): Promise<DisabledWebhook[]> {
    const rows = await this.unitOfWork.execute(DISABLE_SET_ASIDE, [reason], { tx, scope: ROWS_OF_ALL });
    return rows.map(({ id, org_id, project_uid }) => ({
      id,
      orgId: org_id ?? undefined,
      projectUid: project_uid ?? undefined,
    }));
  }

  async release({ id, token }: ClaimedWebhook): Promise<void> {
    await this.unitOfWork.execute(RELEASE_WEBHOOK, [id, token], { scope: ROWS_OF_ALL });
  }

  /** @param behind by how many microseconds */
  async advanceIdle(behind: number): Promise<void> {
    await this.unitOfWork.execute(ADVANCE_IDLE_WEBHOOKS, [behind], { scope: ROWS_OF_ALL });
  }

  /** @returns how many were removed, `limit` at most */
  async removeOldDeliveries(hours: number, limit: number): Promise<number> {
    const [row] = await this.unitOfWork.execute(REMOVE_OLD_DELIVERIES, [hours, limit], {
      scope: ROWS_OF_ALL,
    });
    return row?.removed ?? 0;
  }

  /** How many are in which state. */
  counts(): Promise<readonly { readonly state: string; readonly webhooks: number }[]> {
    return this.unitOfWork.execute(WEBHOOK_COUNTS, [], { scope: ROWS_OF_ALL });
  }

  /** Of all webhooks, encrypted. */
  secrets(): Promise<Pick<WebhookEntity, 'id' | 'secret' | 'formerSecret'>[]> {
    return this.unitOfWork.single(
      (manager) => manager.find(WebhookEntity, { select: { id: true, secret: true, formerSecret: true } }),
      ROWS_OF_ALL,
    );
  }

  /** Unless it was replaced meanwhile. */
  async reencrypt(
    id: string,
    column: 'secret' | 'formerSecret',
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    await this.unitOfWork.single(
      (manager) => manager.update(WebhookEntity, { id, [column]: from }, { [column]: to }),
      ROWS_OF_ALL,
    );
  }
}

const settled = (
  { id, token }: ClaimedWebhook,
  { position, id: eventId, type }: RecordedNotification,
  { httpStatus, error, durationMs }: DeliveryOutcome,
) => [id, token, position, eventId, type, httpStatus, error, durationMs];
