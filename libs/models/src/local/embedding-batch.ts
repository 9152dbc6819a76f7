import { type EmbedPriority } from '../embedder.js';

/** Consecutive texts of one batch that are handed to a thread together. */
export interface Slice {
  readonly batch: EmbeddingBatch;
  readonly start: number;
  readonly texts: readonly string[];
}

/** The texts of one call to `embed`, handed out in slices and answered as a whole. */
export class EmbeddingBatch {
  readonly vectors: Promise<Float32Array[]>;
  readonly #found: Float32Array[];
  #cursor = 0;
  #missing: number;
  #resolve!: (vectors: Float32Array[]) => void;
  #reject!: (reason: unknown) => void;

  constructor(
    readonly texts: readonly string[],
    readonly priority: EmbedPriority,
    /** Whose request it is for; absent for work that no request asked for. */
    readonly orgId?: string,
  ) {
    this.#found = new Array<Float32Array>(texts.length);
    this.#missing = texts.length;
    this.vectors = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Texts not handed out yet. */
  get waiting(): number {
    return this.texts.length - this.#cursor;
  }

  /** Of the text that is handed out next. */
  get nextCharacters(): number {
    return this.texts[this.#cursor]?.length ?? 0;
  }

  /** The next texts: at least one, at most `maxTexts`, and no second one beyond `maxCharacters` together. */
  takeSlice(maxTexts: number, maxCharacters: number): Slice {
    const start = this.#cursor;
    let characters = 0;
    while (this.#cursor < Math.min(start + maxTexts, this.texts.length)) {
      characters += this.texts[this.#cursor]?.length ?? 0;
      if (this.#cursor > start && characters > maxCharacters) break;
      this.#cursor += 1;
    }
    return { batch: this, start, texts: this.texts.slice(start, this.#cursor) };
  }

  /** @param flat the vectors of the slice, one behind the other */
  fill({ start, texts }: Slice, flat: Float32Array): void {
    const dimensions = flat.length / texts.length;
    for (let index = 0; index < texts.length; index += 1) {
      this.#found[start + index] = flat.slice(index * dimensions, (index + 1) * dimensions);
    }
    this.#missing -= texts.length;
    if (this.#missing === 0) this.#resolve(this.#found);
  }

  /** Ends the batch; the answers of slices still under way are then dropped. */
  fail(reason: unknown): void {
    this.#reject(reason);
  }
}
