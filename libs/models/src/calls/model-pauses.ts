import { createHash } from 'node:crypto';
import { MAX_MODEL_PAUSE_MS, type ModelPaused, type ResourceReference } from '@loci/contracts';
import { type ResourceDefinition } from '../resource-definition.js';

/** Shorter ones are over before anybody else has heard of them. */
const WORTH_TELLING_MS = 1_000;

/** Where a provider does not say for how long, and refuses again and again. */
const LONGEST_GUESS_MS = 60_000;

/** Calls that waited for the same pause begin again spread over this share of it. */
const SPREAD = 0.2;
const LONGEST_SPREAD_MS = 10_000;

/** Of so many models a pause, or its end, is kept: any service may tell of one, under any name. */
const MAX_KEPT = 5_000;

/** Within so many milliseconds after a pause those who waited come back. */
export const spreadOf = (pauseMs: number): number => Math.min(pauseMs * SPREAD, LONGEST_SPREAD_MS);

interface Pause {
  readonly begunAtMs: number;
  readonly untilMs: number;
  readonly spreadMs: number;
  /** Refusals in a row without a word on how long to wait. */
  readonly guesses: number;
  /** Aborted when the model is called again before the pause is over. */
  readonly resumed: AbortController;
}

type Model = Pick<ResourceDefinition, 'kind' | 'name' | 'provider' | 'config'>;

export interface ModelPause {
  /** Milliseconds; 0 when the model may be called. */
  remainingMs(): number;
  /** Aborted when the pause ends before its time; undefined where there is none. */
  resumed(): AbortSignal | undefined;
  /** Longer than the pause remains by a little, another each time: those who wait do not come back at once. */
  waitMs(): number;
  /** @param call when the refused call began, by `performance.now()`, and how long the provider asks us to wait */
  refused(call: { readonly startedAtMs: number; readonly retryAfterMs: number | undefined }): void;
  /** The provider took a request. */
  accepted(): void;
}

/**
 * How long providers that take no more requests are left alone, one pause for each model: all its calls wait for it, in this
 * process, and in others that are told of it.
 */
export class ModelPauses {
  private readonly pauses = new Map<string, Pause>();
  /** When models were last tried again because a person asked, by kind and name. */
  private readonly resumedAtMs = new Map<string, number>();

  /** @param tell others of a pause that began here */
  constructor(
    private readonly tell: (paused: ModelPaused) => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** @param firstGuessMs pause after the first of refusals that say nothing of how long to wait */
  of(model: Model, firstGuessMs: number): ModelPause {
    const version = versionOf(model);
    const key = keyOf({ ...model, version });
    return {
      remainingMs: () => this.remainingMs(key),
      resumed: () => this.pauses.get(key)?.resumed.signal,
      waitMs: () => {
        const remainingMs = this.remainingMs(key);
        const spreadMs = this.pauses.get(key)?.spreadMs ?? 0;
        return remainingMs === 0 ? 0 : Math.ceil(remainingMs + this.random() * spreadMs);
      },
      refused: ({ startedAtMs, retryAfterMs }) => {
        if (startedAtMs < (this.resumedAtMs.get(modelKeyOf(model)) ?? 0)) return;
        const before = this.pauses.get(key);
        // calls that were under way when the pause began say nothing new
        if (retryAfterMs === undefined && before && startedAtMs <= before.begunAtMs) return;
        const guesses = retryAfterMs === undefined ? (before?.guesses ?? 0) + 1 : 0;
        const guessMs = Math.min(firstGuessMs * 2 ** Math.min(guesses - 1, 16), LONGEST_GUESS_MS);
        const pauseMs = Math.ceil(Math.min(retryAfterMs ?? guessMs, MAX_MODEL_PAUSE_MS));
        const isNews = pauseMs >= WORTH_TELLING_MS && pauseMs > this.remainingMs(key) + WORTH_TELLING_MS;
        this.note(key, pauseMs, guesses);
        if (isNews) this.tell({ kind: model.kind, name: model.name, version, pauseMs });
      },
      accepted: () => {
        if (this.remainingMs(key) === 0) this.pauses.delete(key);
      },
    };
  }

  /** Another process was told that a model wants a pause. */
  heard({ pauseMs, ...model }: ModelPaused): void {
    this.note(keyOf(model), pauseMs, 0);
  }

  /** A person has it tried again: who waits goes on, and what was refused before begins no pause any more. */
  resume(model: ResourceReference): void {
    const modelKey = modelKeyOf(model);
    setLast(this.resumedAtMs, modelKey, this.now());
    for (const [key, { resumed }] of this.pauses) {
      if (!key.startsWith(modelKey)) continue;
      this.pauses.delete(key);
      resumed.abort();
    }
  }

  /** Whether calls of the model would wait. */
  isPaused(model: Model): boolean {
    return this.remainingMs(keyOf({ ...model, version: versionOf(model) })) > 0;
  }

  private remainingMs(key: string): number {
    return Math.max((this.pauses.get(key)?.untilMs ?? 0) - this.now(), 0);
  }

  private note(key: string, pauseMs: number, guesses: number): void {
    const nowMs = this.now();
    const before = this.pauses.get(key);
    for (const [other, { untilMs }] of this.pauses)
      if (untilMs + LONGEST_GUESS_MS < nowMs) this.pauses.delete(other);
    const untilMs = Math.max(nowMs + pauseMs, before?.untilMs ?? 0);
    const resumed = before?.resumed ?? new AbortController();
    setLast(this.pauses, key, {
      begunAtMs: nowMs,
      untilMs,
      spreadMs: spreadOf(untilMs - nowMs),
      guesses,
      resumed,
    });
  }
}

/** The one that was set last comes last, and those that were set first go. */
function setLast<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key);
  kept.set(key, value);
  for (const first of kept.keys()) {
    if (kept.size <= MAX_KEPT) return;
    kept.delete(first);
  }
}

const modelKeyOf = ({ kind, name }: ResourceReference): string => `${kind}\n${name}\n`;

const keyOf = ({ version, ...model }: Pick<ModelPaused, 'kind' | 'name' | 'version'>): string =>
  modelKeyOf(model) + version;

/** Every process has the configuration as the registry gave it, so that all come to the same. */
const versionOf = ({ provider, config }: Model): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, config]))
    .digest('hex')
    .slice(0, 32);
