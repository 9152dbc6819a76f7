import {
  type EpisodicSettings,
  type IdempotencyToken,
  type UpdateEpisodicSettingsRequest,
} from '@loci/contracts';
import { type Static, Type } from 'typebox';
import { boolean } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

/** Of one half of episodic memory. Absent = unchanged. */
export class ConfigureHalfBody extends TenantBody {
  @Wire(boolean, { optional: true, nullable: true })
  readonly enabled?: boolean | undefined;
}

/** Of episodic memory as a whole. Absent = unchanged. */
export class ConfigureEpisodicBody extends ConfigureHalfBody {
  @Wire(boolean, { optional: true, nullable: true })
  readonly long_term_memory_enabled?: boolean | undefined;

  @Wire(boolean, { optional: true, nullable: true })
  readonly short_term_memory_enabled?: boolean | undefined;
}

export const toUpdateEpisodic = (
  body: ConfigureEpisodicBody,
  idempotency: IdempotencyToken | undefined,
): UpdateEpisodicSettingsRequest => ({
  tenant: tenantOf(body),
  enabled: body.enabled,
  longTermEnabled: body.long_term_memory_enabled,
  shortTermEnabled: body.short_term_memory_enabled,
  idempotency,
});

export const toUpdateHalf = (
  half: 'longTermEnabled' | 'shortTermEnabled',
  body: ConfigureHalfBody,
  idempotency: IdempotencyToken | undefined,
): UpdateEpisodicSettingsRequest => ({ tenant: tenantOf(body), [half]: body.enabled, idempotency });

export const episodicSettingsAnswer = Type.Object(
  {
    enabled: Type.Boolean(),
    long_term_memory_enabled: Type.Boolean(),
    short_term_memory_enabled: Type.Boolean(),
  },
  { title: 'EpisodicMemoryConfigEntry' },
);
export type EpisodicSettingsAnswer = Static<typeof episodicSettingsAnswer>;

/** Of one half of episodic memory. */
export const halfAnswer = Type.Object({ enabled: Type.Boolean() }, { title: 'MemoryHalfConfigEntry' });
export type HalfAnswer = Static<typeof halfAnswer>;

export const fromEpisodicSettings = (settings: EpisodicSettings): EpisodicSettingsAnswer => ({
  enabled: settings.enabled,
  long_term_memory_enabled: settings.longTermEnabled,
  short_term_memory_enabled: settings.shortTermEnabled,
});
