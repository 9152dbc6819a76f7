import { inChildSpan, RequestContext } from '@loci/platform';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Embedder, type EmbedOptions } from '../embedder.js';
import { EmbeddingBatch } from './embedding-batch.js';
import { EmbeddingQueue, type QueueLimits } from './embedding-queue.js';
import { InferencePool } from './inference-pool.js';
import { InferenceThread } from './inference-thread.js';
import { type LocalModel, miniLm } from './local-model.js';
import { joined, windowsOf } from './windows.js';

export interface LocalEmbedderOptions {
  /** Default {@link miniLm}. */
  readonly model?: LocalModel;
  /** Threads, each with a copy of the model (about 150 MB) and one core's worth of work. Default 1. */
  readonly threads?: number;
  /** Default: 256 of queries, 1024 of what searches index and 4096 of index work; a single call with more is refused. */
  readonly maxWaitingTexts?: QueueLimits['maxWaitingTexts'];
}

/** Asked for by name: the program that embeds may be a bundle, and a thread starts from a file of its own. */
const SCRIPT = pathToFileURL(createRequire(import.meta.url).resolve('@loci/models/inference-worker'));

const MOST_WAITING: QueueLimits['maxWaitingTexts'] = { query: 256, unindexed: 1024, index: 4096 };

/** Short texts, or a long one: about 20 to 40 ms. */
const MANY = { texts: 8, characters: 2000 };

/**
 * A query waits for one slice at most of what another search indexes, which embeds without a pause as long as much waits: about
 * 5 to 20 ms. A text takes as long among others as alone.
 */
const SLICE: QueueLimits['slice'] = { query: MANY, unindexed: { texts: 2, characters: 500 }, index: MANY };

/**
 * Far more than a model reads (a token of prose is 4 to 5 characters), and little enough that a text of any
 * length costs some milliseconds.
 */
const MAX_CHARACTERS_PER_TOKEN = 16;

/** An ONNX model on this machine's CPU, in worker threads: a request is never blocked by inference. */
export class LocalEmbedder extends Embedder {
  readonly #model: LocalModel;
  readonly #pool: InferencePool;

  private constructor(model: LocalModel, maxWaitingTexts: QueueLimits['maxWaitingTexts']) {
    super();
    this.#model = model;
    this.#pool = new InferencePool(
      new EmbeddingQueue({ maxWaitingTexts, slice: SLICE }),
      () => new InferenceThread(SCRIPT, model),
    );
  }

  /**
   * Loads the model in every thread (about 0.4 s).
   * @throws AppError `embedder_unavailable` when a model file is missing or its sha256 is not the pinned one
   */
  static async start(options: LocalEmbedderOptions = {}): Promise<LocalEmbedder> {
    const { model = miniLm(), threads = 1, maxWaitingTexts = MOST_WAITING } = options;
    const embedder = new LocalEmbedder(model, maxWaitingTexts);
    await embedder.#pool.start(threads);
    return embedder;
  }

  get fingerprint(): string {
    return this.#model.fingerprint;
  }

  get dimensions(): number {
    return this.#model.dimensions;
  }

  async embed(
    texts: readonly string[],
    { priority = 'index', inputType, signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    if (texts.length === 0) return [];
    const { maxTokens } = this.#model;
    // a person waits for a query, and the beginning of a long one tells what it is about
    const windowCharacters = inputType === 'query' ? Infinity : (this.#model.windowCharacters ?? Infinity);
    const windows = texts.map((text) => windowsOf(text.trimStart(), windowCharacters));
    const readable = windows.flat().map((window) => window.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN));
    const attributes = { 'gen_ai.operation.name': 'embeddings', 'loci.texts': texts.length };
    const vectors = await inChildSpan('embed', { attributes }, () =>
      this.#pool.run(new EmbeddingBatch(readable, priority, RequestContext.current()?.orgId), signal),
    );
    return joined(vectors, windows);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
