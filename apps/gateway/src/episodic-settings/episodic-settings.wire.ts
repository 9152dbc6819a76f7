import {
  type EpisodicSettings,
  type IdempotencyToken,
  MAX_TTL_SECONDS,
  type UpdateEpisodicSettingsRequest,
} from '@loci/contracts';
import { boolean, integer, nullish, withKeywords, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

/** Of one half of episodic memory. Absent = unchanged. */
export class ConfigureHalfBody extends request('ConfigureHalfSpec', {
  ...TenantBody.schema.properties,
  enabled: described(nullish(boolean), 'Whether it is in use. Absent or null = unchanged.'),
}) {}

/** Of episodic memory as a whole. Absent = unchanged. */
export class ConfigureEpisodicBody extends request('ConfigureEpisodicSpec', {
  ...ConfigureHalfBody.schema.properties,
  long_term_memory_enabled: described(
    nullish(boolean),
    'Whether long-term memory is in use. Absent or null = unchanged.',
  ),
  short_term_memory_enabled: described(
    nullish(boolean),
    'Whether short-term memory is in use. Absent or null = unchanged.',
  ),
  ttl_seconds: nullish(
    withKeywords(integer({ min: 0, max: MAX_TTL_SECONDS }), {
      description:
        'How long messages live at most that are added from now on; 0 = until they are deleted. A message can have a shorter time of its own. Absent or null = unchanged. What is stored already keeps its time: delete it at `/api/v2/memories/forget`.',
    }),
  ),
}) {}

export const toUpdateEpisodic = (
  body: ConfigureEpisodicBody,
  idempotency: IdempotencyToken | undefined,
): UpdateEpisodicSettingsRequest => ({
  tenant: tenantOf(body),
  enabled: body.enabled,
  longTermEnabled: body.long_term_memory_enabled,
  shortTermEnabled: body.short_term_memory_enabled,
  ttlSeconds: body.ttl_seconds,
  idempotency,
});

export const toUpdateHalf = (
  half: 'longTermEnabled' | 'shortTermEnabled',
  body: ConfigureHalfBody,
  idempotency: IdempotencyToken | undefined,
): UpdateEpisodicSettingsRequest => ({ tenant: tenantOf(body), [half]: body.enabled, idempotency });

export const episodicSettingsAnswer = Type.Object(
  {
    enabled: described(Type.Boolean(), 'Whether the project uses episodic memory.'),
    long_term_memory_enabled: described(Type.Boolean(), 'Whether it uses long-term memory.'),
    short_term_memory_enabled: described(Type.Boolean(), 'Whether it uses short-term memory.'),
    ttl_seconds: Type.Optional(
      Type.Integer({
        description: 'How long messages that are added live at most; absent = until they are deleted.',
      }),
    ),
  },
  { title: 'EpisodicMemoryConfigEntry' },
);
export type EpisodicSettingsAnswer = Static<typeof episodicSettingsAnswer>;

/** Of one half of episodic memory. */
export const halfAnswer = Type.Object(
  { enabled: described(Type.Boolean(), 'Whether the project uses it.') },
  { title: 'MemoryHalfConfigEntry' },
);
export type HalfAnswer = Static<typeof halfAnswer>;

export const fromEpisodicSettings = (settings: EpisodicSettings): EpisodicSettingsAnswer => ({
  enabled: settings.enabled,
  long_term_memory_enabled: settings.longTermEnabled,
  short_term_memory_enabled: settings.shortTermEnabled,
  ...(settings.ttlSeconds > 0 && { ttl_seconds: settings.ttlSeconds }),
});
