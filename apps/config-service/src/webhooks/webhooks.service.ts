import {
  type AccessBounds,
  type AppError,
  clientEvent,
  createWebhook,
  type CreateWebhookRequest,
  invalid,
  notFound,
  projectNotFound,
  rateLimited,
  removeWebhook,
  rotateWebhook,
  type RotateWebhookRequest,
  updateWebhook,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  type WebhookRequest,
  type WebhookTestResult,
} from '@loci/contracts';
import { Idempotency, type Transaction } from '@loci/persistence';
import { requireUnbound } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { ProjectsService } from '../projects/projects.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { UNSIGNED, WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** A client waits for a test. */
const TEST_TIMEOUT_MS = 8_000;
const MAX_TESTS = 16;
const MAX_TESTS_OF_ORGANIZATION = 2;

interface Issued {
  readonly webhook: Webhook;
  /** Undefined when the request was answered before. */
  readonly secret: string | undefined;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Who gets events by HTTP. */
@Injectable()
export class WebhooksService {
  /** The organizations of tests that are under way. */
  private readonly tests: (string | undefined)[] = [];

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly projects: ProjectsService,
    private readonly lookAlikes: LookAlikeNames,
    private readonly quotas: QuotasService,
    private readonly idempotency: Idempotency,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
  ) {}

  /** @throws AppError `invalid_request`, `project_not_found`, `producer_not_allowed`, `name_confusable`, `quota_exceeded` */
  async create(request: CreateWebhookRequest): Promise<Issued> {
    const { description, bounds, types, idempotency } = request;
    requireUnbound('add webhooks');
    const url = this.addressIn(request.url);
    const projectUid = await this.projectUidOf(bounds);
    const [id, secret] = [uuidv7(), this.secrets.make()];
    const added = { id, bounds, projectUid, url, description, types, secret: this.secrets.seal(id, secret) };
    const webhook = await this.idempotency.run(scopeOf(bounds, createWebhook), idempotency, async (tx) => {
      await this.lookAlikes.refuseKeeping(bounds.orgId, tx);
      await this.quotas.within('webhooks', bounds.orgId, tx, () => this.webhooks.add(added, tx));
      return this.found(bounds, id, tx);
    });
    return { webhook, secret: webhook.id === id ? secret : undefined };
  }

  list(within: AccessBounds, page: Page): Promise<{ webhooks: Webhook[]; total: number }> {
    return this.webhooks.list(within, page);
  }

  /** @throws AppError `webhook_not_found` */
  get({ within, id }: WebhookRequest): Promise<Webhook> {
    return this.found(within, id);
  }

  /** @throws AppError `webhook_not_found`, `invalid_request`, `producer_not_allowed` */
  update(request: UpdateWebhookRequest): Promise<Webhook> {
    const { within, id, idempotency, url: given, types, ...change } = request;
    requireUnbound('change webhooks');
    const url = given === undefined ? undefined : this.addressIn(given);
    return this.changing(updateWebhook, { within, id, idempotency }, async (tx) => {
      await this.webhooks.change(
        within,
        id,
        { ...change, url, types: types?.length === 0 ? null : types },
        tx,
      );
      return this.found(within, id, tx);
    });
  }

  /** @throws AppError `webhook_not_found`, `producer_not_allowed` */
  async remove(request: WebhookRequest): Promise<void> {
    requireUnbound('remove webhooks');
    await this.changing(removeWebhook, request, async (tx) => {
      await this.webhooks.remove(request.within, request.id, tx);
      return {};
    });
  }

  /** @throws AppError `webhook_not_found`, `producer_not_allowed` */
  async rotate({ graceSeconds, ...request }: RotateWebhookRequest): Promise<Issued> {
    requireUnbound('rotate secrets of webhooks');
    const { within, id } = request;
    let secret: string | undefined;
    const webhook = await this.changing(rotateWebhook, request, async (tx) => {
      secret = this.secrets.make();
      await this.webhooks.rotate(within, id, { secret: this.secrets.seal(id, secret), graceSeconds }, tx);
      return this.found(within, id, tx);
    });
    return { webhook, secret };
  }

  /** @throws AppError `webhook_not_found` */
  async deliveries(
    { within, id }: WebhookRequest,
    page: Page,
  ): Promise<{ deliveries: WebhookDelivery[]; total: number }> {
    await this.found(within, id);
    return this.webhooks.deliveries(within, id, page);
  }

  /**
   * Sends one event that says nothing, beside all others; what becomes of it changes nothing.
   * @throws AppError `webhook_not_found`, `producer_not_allowed`, `overloaded`
   */
  async test({ within, id }: WebhookRequest): Promise<WebhookTestResult> {
    requireUnbound('test webhooks');
    const { url, bounds } = await this.found(within, id);
    const secrets = this.secrets.openAll(id, await this.webhooks.secretsOf(within, id));
    const event = {
      id: uuidv7(),
      type: 'webhook.test',
      at: new Date().toISOString(),
      data: { webhook_id: id },
    };
    const body = JSON.stringify(clientEvent({ ...event, ...bounds }));
    const ofOrganization = this.tests.filter((orgId) => orgId === bounds.orgId).length;
    if (this.tests.length >= MAX_TESTS || ofOrganization >= MAX_TESTS_OF_ORGANIZATION) throw tooManyTests();
    this.tests.push(bounds.orgId);
    try {
      const outcome = secrets ? await this.sendInTime({ url, secrets, eventId: event.id, body }) : UNSIGNED;
      const { isDelivered, httpStatus, error, durationMs } = outcome;
      return { eventId: event.id, isDelivered, httpStatus, error, durationMs };
    } finally {
      this.tests.splice(this.tests.indexOf(bounds.orgId), 1);
    }
  }

  private async sendInTime(delivery: Parameters<WebhookSender['send']>[0]) {
    const timeout = AbortSignal.timeout(TEST_TIMEOUT_MS);
    return this.sender.send(delivery, timeout).catch(() => ({
      isDelivered: false,
      httpStatus: undefined,
      error: 'The receiver did not answer in time.',
      durationMs: TEST_TIMEOUT_MS,
    }));
  }

  private changing<Result>(
    operation: { readonly subject: string },
    { within, id, idempotency }: WebhookRequest,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.idempotency.run(scopeOf(within, operation), idempotency, async (tx) => {
      await this.found(within, id, tx);
      return work(tx);
    });
  }

  private async found(within: AccessBounds, id: string, tx?: Transaction): Promise<Webhook> {
    const webhook = isUuid(id) ? await this.webhooks.find(within, id, tx) : undefined;
    if (!webhook) throw webhookNotFound(id);
    return webhook;
  }

  private async projectUidOf({ orgId, projectId }: AccessBounds): Promise<string | undefined> {
    if (orgId === undefined || projectId === undefined) return undefined;
    const tenant = { orgId, projectId };
    const { uid } = await this.projects.get(tenant);
    if (uid === '') throw projectNotFound(tenant);
    return uid;
  }

  /** As it is stored: every reader takes the same address from it. @throws AppError `invalid_request` */
  private addressIn(url: string): string {
    const address = this.sender.addressIn(url);
    if (typeof address !== 'string') return address.href;
    throw invalid('invalid_request', [{ loc: ['body', 'url'], msg: address, type: 'url_refused' }]);
  }
}

const scopeOf = ({ orgId = '*', projectId = '*' }: AccessBounds, { subject }: { subject: string }) => ({
  tenant: `${orgId}/${projectId}`,
  operation: subject,
});

const webhookNotFound = (id: string): AppError =>
  notFound('webhook_not_found', `There is no webhook ${id}; list the webhooks to see which there are.`);

const tooManyTests = (): AppError =>
  rateLimited('overloaded', 'Other tests of webhooks are under way; try again in a moment.', {
    retryAfterSeconds: 1,
  });
