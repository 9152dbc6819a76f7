import { MAX_TRUSTED_PRODUCERS } from '@loci/contracts';
import { filledText, listOf, nullish } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

export class ConfigureSemanticBody extends request('ConfigureSemanticSpec', {
  ...TenantBody.schema.properties,

  /** Names of producers; one that ends with `*` stands for all that begin like it. Absent = unchanged. */
  trusted_producers: nullish(listOf(filledText('MAX_LABEL_CHARS'), { max: MAX_TRUSTED_PRODUCERS })),
}) {}

export const semanticSettingsAnswer = Type.Object(
  {
    trusted_producers: Type.Array(Type.String(), {
      description:
        'Producers whose messages may change what other messages support. A name that ends with `*` stands for all that begin like it; `*` alone for every producer.',
    }),
  },
  { title: 'SemanticSettings' },
);
export type SemanticSettingsAnswer = Static<typeof semanticSettingsAnswer>;
