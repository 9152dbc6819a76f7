import { type ObjectSchema } from '@loci/platform/schema';
import { type Static } from 'typebox';
import { type ProviderCalls } from '../calls/provider-calls.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type ResourceDefinition } from '../resource-definition.js';

/** Whose errors a client sees. */
export type Protocol = 'openai' | 'bedrock' | 'anthropic' | 'gemini' | 'http';

/** What one model is built with. */
export interface BuildContext {
  /** @throws ProviderFailure `misconfigured` */
  settings<Schema extends ObjectSchema>(schema: Schema): Static<Schema>;
  guard(): EgressGuard;
  calls(protocol: Protocol, settings: { readonly max_retry_interval_seconds: number }): ProviderCalls;
}

export const unknownProvider = ({ provider }: ResourceDefinition): ProviderFailure =>
  new ProviderFailure('misconfigured', `can't be used: this version has no provider '${provider}'`);
