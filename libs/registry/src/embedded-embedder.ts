import { LocalEmbedder } from '@loci/models';
import { type OnApplicationShutdown } from '@nestjs/common';

/** The embedder that comes with Loci: one for the whole process, loaded when it is first asked for. */
export class EmbeddedEmbedder implements OnApplicationShutdown {
  private loaded: Promise<LocalEmbedder> | undefined;

  /** @param threads each with a copy of the model (about 150 MB) */
  constructor(private readonly threads = 1) {}

  get(): Promise<LocalEmbedder> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.loaded)?.close();
  }

  private async load(): Promise<LocalEmbedder> {
    try {
      return await LocalEmbedder.start({ threads: this.threads });
    } catch (error) {
      this.loaded = undefined;
      throw error;
    }
  }
}
