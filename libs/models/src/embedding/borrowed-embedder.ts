import { Embedder, type EmbedOptions } from '../embedder.js';

/** An embedder that is owned elsewhere: closing this one leaves that one open. */
export class BorrowedEmbedder extends Embedder {
  constructor(private readonly owner: Embedder) {
    super();
  }

  get fingerprint(): string {
    return this.owner.fingerprint;
  }

  get dimensions(): number {
    return this.owner.dimensions;
  }

  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]> {
    return this.owner.embed(texts, options);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
