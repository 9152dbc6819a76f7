import { unavailable } from '@loci/contracts';
import { Worker } from 'node:worker_threads';

/** What the worker script posts: `ready` once, then one answer per request. */
type WorkerMessage =
  { readonly ready: true } | { readonly vectors: Float32Array } | { readonly error: string };

interface Waiter<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** A worker thread that answers one request at a time. Once it has ended it refuses everything. */
export class InferenceThread {
  /** Settles when the model is loaded, or could not be. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  #loading: Waiter<void> | undefined;
  #answering: Waiter<Float32Array> | undefined;
  /** What ended the worker; from its own realm, so no `instanceof`. */
  #cause: { readonly message: string } | undefined;
  #hasEnded = false;

  /** @param script a module for a worker thread that follows {@link WorkerMessage} */
  constructor(script: URL, workerData: unknown) {
    this.#worker = new Worker(script, { workerData, name: 'inference' });
    this.ready = new Promise((resolve, reject) => {
      this.#loading = { resolve, reject };
    });
    this.ready.catch(() => undefined);
    this.#worker.on('message', (message: WorkerMessage) => {
      this.#receive(message);
    });
    this.#worker.on('error', (error: Error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => {
      this.#end();
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The vectors of the texts, one behind the other. Not to be called again before the promise has settled. */
  async request(texts: readonly string[]): Promise<Float32Array> {
    await this.ready;
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) {
        reject(this.#endedError());
        return;
      }
      this.#answering = { resolve, reject };
      this.#worker.postMessage(texts);
    });
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(message: WorkerMessage): void {
    if ('ready' in message) this.#loading?.resolve();
    else if ('vectors' in message) this.#answering?.resolve(message.vectors);
    else this.#answering?.reject(refusal('The embedder failed on a text; try again later.', message.error));
  }

  #end(): void {
    this.#hasEnded = true;
    this.#loading?.reject(this.#loadingError());
    this.#answering?.reject(this.#endedError());
  }

  #loadingError(): Error {
    const why = this.#cause ? `: ${this.#cause.message}` : '';
    return refusal(`The embedder could not be loaded${why}.`, this.#cause);
  }

  #endedError(): Error {
    return refusal('The embedder stopped; try again in a moment.', this.#cause);
  }
}

const refusal = (message: string, cause: unknown): Error =>
  unavailable('embedder_unavailable', message, { retryAfterSeconds: 1 }, cause);
