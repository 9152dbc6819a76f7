import { DEFAULT_LOCAL_MODEL, LOCAL_MODELS, LocalEmbedder, type LocalModelName } from '@loci/models';
import { type OnApplicationShutdown } from '@nestjs/common';

/** The embedders that run in this process: one of each model for all who use it, loaded when it is first asked for. */
export class EmbeddedEmbedder implements OnApplicationShutdown {
  private readonly loaded = new Map<LocalModelName, Promise<LocalEmbedder>>();

  /** @param threads of each model, each with a copy of it (about 150 MB; gte-small 450 MB) */
  constructor(private readonly threads = 1) {}

  /**
   * @param model the one that comes with Loci, if nothing is said
   * @throws AppError `embedder_unavailable` when it cannot be loaded; ProviderFailure `misconfigured` when its package
   *   is not installed
   */
  async get(model: LocalModelName = DEFAULT_LOCAL_MODEL): Promise<LocalEmbedder> {
    const known = this.loaded.get(model);
    if (known) return known;
    const loading = LocalEmbedder.start({ model: LOCAL_MODELS[model](), threads: this.threads });
    this.loaded.set(model, loading);
    try {
      return await loading;
    } catch (error) {
      this.loaded.delete(model);
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const loaded = await Promise.allSettled(this.loaded.values());
    for (const one of loaded) if (one.status === 'fulfilled') await one.value.close();
  }
}
