import { type components } from '../api.generated.js';
import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { type EventType } from './events.js';
import { pages } from './pages.js';
import { shownOnce, type WithSecret } from './shown-once.js';
import { named, type ProjectName } from './tenant.js';

type Schemas = components['schemas'];

export interface NewWebhook {
  /** Where events are sent, with https. */
  readonly url: string;
  readonly description?: string;
  /** Default: what the caller's own key is bound to. */
  readonly org?: string;
  readonly project?: string;
  /** Default: all. */
  readonly types?: readonly EventType[];
}

/** What is absent stays. */
export interface WebhookChange {
  readonly url?: string;
  readonly description?: string;
  /** Empty = all. */
  readonly types?: readonly EventType[];
  readonly enabled?: boolean;
  /** Gives up what is not delivered yet. */
  readonly skipPending?: boolean;
}

/** Receivers of events. What they get is signed; check it with the package `standardwebhooks`. */
export class Webhooks {
  constructor(private readonly api: LociClient) {}

  /**
   * @returns the webhook with its `secret`, which no later answer has
   * @throws LociError `secret_lost` when the answer with it was lost
   */
  create(webhook: NewWebhook, options: WriteOptions = {}): Promise<WithSecret<Schemas['IssuedWebhook']>> {
    const { url, description, org, project, types } = webhook;
    const body = {
      url,
      ...(description !== undefined && { description }),
      ...(org !== undefined && { org_id: org }),
      ...(project !== undefined && { project_id: project }),
      ...(types && { types: [...types] }),
    };
    return shownOnce(answered(this.api.POST('/api/v2/webhooks', { body, ...sentWith(options) })));
  }

  /** Goes through the webhooks of a project, those of its organization excluded; of all that the key may see by default. */
  list(project?: ProjectName, options: CallOptions = {}): AsyncGenerator<Schemas['Webhook'], void> {
    return pages((page) => {
      const params = { query: { ...(project && named(project)), ...page } };
      return answered(this.api.GET('/api/v2/webhooks', { params, ...sentWith(options) }));
    });
  }

  get(id: string, options: CallOptions = {}): Promise<Schemas['Webhook']> {
    return answered(this.api.GET('/api/v2/webhooks/{id}', { ...of(id), ...sentWith(options) }));
  }

  update(id: string, change: WebhookChange, options: WriteOptions = {}): Promise<Schemas['Webhook']> {
    const { skipPending, types, ...same } = change;
    const body = {
      ...same,
      ...(types && { types: [...types] }),
      ...(skipPending !== undefined && { skip_pending: skipPending }),
    };
    return answered(this.api.PUT('/api/v2/webhooks/{id}', { ...of(id), body, ...sentWith(options) }));
  }

  async remove(id: string, options: WriteOptions = {}): Promise<void> {
    await answered(this.api.DELETE('/api/v2/webhooks/{id}', { ...of(id), ...sentWith(options) }));
  }

  /**
   * Gives a webhook a new secret; deliveries are signed with the old one, too, for `graceSeconds` more, a day by default.
   * @throws LociError `secret_lost` when the answer with it was lost
   */
  rotate(
    id: string,
    graceSeconds = 86_400,
    options: WriteOptions = {},
  ): Promise<WithSecret<Schemas['IssuedWebhook']>> {
    const body = { grace_seconds: graceSeconds };
    return shownOnce(
      answered(this.api.POST('/api/v2/webhooks/{id}/rotate', { ...of(id), body, ...sentWith(options) })),
    );
  }

  /** Sends an event of the type `webhook.test`. @returns what the receiver made of it */
  test(id: string, options: CallOptions = {}): Promise<Schemas['WebhookTest']> {
    return answered(this.api.POST('/api/v2/webhooks/{id}/test', { ...of(id), ...sentWith(options) }));
  }

  /** Goes through what was sent, newest first. */
  deliveries(id: string, options: CallOptions = {}): AsyncGenerator<Schemas['WebhookDelivery'], void> {
    return pages((query) => {
      const params = { path: { id }, query };
      return answered(this.api.GET('/api/v2/webhooks/{id}/deliveries', { params, ...sentWith(options) }));
    });
  }
}

const of = (id: string) => ({ params: { path: { id } } });
