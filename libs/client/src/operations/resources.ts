import { type components } from '../api.generated.js';
import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';

type Schemas = components['schemas'];

export type ResourceKind = 'embedders' | 'language_models' | 'rerankers';

/** Language models, embedders and rerankers. */
export class ModelResources {
  constructor(private readonly api: LociClient) {}

  /** All of them, without their secrets. */
  list(options: CallOptions = {}): Promise<Schemas['Resources']> {
    return answered(this.api.GET('/api/v2/config/resources', sentWith(options)));
  }

  get(kind: ResourceKind, name: string, options: CallOptions = {}): Promise<Schemas['ResourceDetails']> {
    const params = { path: { kind, name } };
    return answered(this.api.GET('/api/v2/config/resources/{kind}/{name}', { params, ...sentWith(options) }));
  }

  /**
   * Registers a model and tries it.
   * @returns whether it works; one that does not is registered, too, and can be tried again
   */
  add(
    kind: ResourceKind,
    resource: Schemas['AddResourceSpec'],
    options: WriteOptions = {},
  ): Promise<Schemas['ResourceOutcome']> {
    const params = { path: { kind } };
    return answered(
      this.api.POST('/api/v2/config/resources/{kind}', { params, body: resource, ...sentWith(options) }),
    );
  }

  /** Tries a model again that failed. */
  retry(kind: ResourceKind, name: string, options: CallOptions = {}): Promise<Schemas['ResourceOutcome']> {
    const params = { path: { kind, name } };
    return answered(
      this.api.POST('/api/v2/config/resources/{kind}/{name}/retry', { params, ...sentWith(options) }),
    );
  }

  /** @param force also when something uses it */
  async remove(kind: ResourceKind, name: string, force = false, options: WriteOptions = {}): Promise<void> {
    const params = { path: { kind, name }, query: { force } };
    await answered(
      this.api.DELETE('/api/v2/config/resources/{kind}/{name}', { params, ...sentWith(options) }),
    );
  }
}
