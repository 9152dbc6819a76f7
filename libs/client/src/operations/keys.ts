import { type components } from '../api.generated.js';
import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { pages } from './pages.js';
import { shownOnce, type WithSecret } from './shown-once.js';
import { named, type ProjectName } from './tenant.js';

type Schemas = components['schemas'];

export interface NewKey {
  readonly name: string;
  readonly scopes: ('read' | 'write' | 'admin')[];
  /** Default: what the caller's own key is bound to. */
  readonly org?: string;
  readonly project?: string;
  /** The only producer that it speaks for. */
  readonly producer?: string;
  readonly expiresAt?: Date;
}

/** API keys. */
export class Keys {
  constructor(private readonly api: LociClient) {}

  /**
   * @returns the key with its `secret`, which no later answer has
   * @throws LociError `secret_lost` when the answer with it was lost
   */
  create(key: NewKey, options: WriteOptions = {}): Promise<WithSecret<Schemas['IssuedApiKey']>> {
    const { name, scopes, org, project, producer, expiresAt } = key;
    const body = {
      name,
      scopes,
      ...(org !== undefined && { org_id: org }),
      ...(project !== undefined && { project_id: project }),
      ...(producer !== undefined && { producer }),
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    };
    return shownOnce(answered(this.api.POST('/api/v2/keys', { body, ...sentWith(options) })));
  }

  /** Goes through the keys of a project, those of its organization excluded. */
  list(project: ProjectName, options: CallOptions = {}): AsyncGenerator<Schemas['ApiKey'], void> {
    return pages((page) => {
      const params = { query: { ...named(project), ...page } };
      return answered(this.api.GET('/api/v2/keys', { params, ...sentWith(options) }));
    });
  }

  /**
   * Gives a key a new secret; the old one works for `graceSeconds` more.
   * @throws LociError `secret_lost` when the answer with it was lost
   */
  rotate(
    id: string,
    graceSeconds = 0,
    options: WriteOptions = {},
  ): Promise<WithSecret<Schemas['IssuedApiKey']>> {
    const body = { grace_seconds: graceSeconds };
    const params = { path: { id } };
    return shownOnce(
      answered(this.api.POST('/api/v2/keys/{id}/rotate', { params, body, ...sentWith(options) })),
    );
  }

  /** Ends a key everywhere, within a second. */
  async revoke(id: string, options: WriteOptions = {}): Promise<void> {
    await answered(this.api.DELETE('/api/v2/keys/{id}', { params: { path: { id } }, ...sentWith(options) }));
  }
}
