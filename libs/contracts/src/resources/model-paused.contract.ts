import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { signal } from '../message.js';
import { ResourceReference } from './resource-operations.contract.js';

/** What a provider may ask for at most: who is asked for more looks again earlier. */
export const MAX_MODEL_PAUSE_MS = 5 * 60_000;

/** The provider of a model takes no more requests for a while. */
export class ModelPaused extends ResourceReference {
  /** Digest of its provider and configuration: another key or another server has no part in the pause. */
  @IsString()
  @MaxLength(64)
  readonly version!: string;

  /** From now on. No moment, so that clocks need not agree. */
  @IsInt()
  @Min(1)
  @Max(MAX_MODEL_PAUSE_MS)
  readonly pauseMs!: number;
}

/** Every process that calls models hears it from the one that was told. */
export const modelPaused = signal('model.paused', ModelPaused);

/**
 * A person asked for a model to be tried again: whatever pause it has is over. Every process that calls models hears it from
 * config-service.
 */
export const modelResumed = signal('model.resumed', ResourceReference);
