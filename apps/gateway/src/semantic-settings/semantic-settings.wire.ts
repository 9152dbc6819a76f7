import { FACTS_OF, MAX_KEEP_CALLS_DAYS, MAX_TRUSTED_PRODUCERS } from '@loci/contracts';
import { filledText, integer, listOf, nullish, oneOf, withKeywords, described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { request } from '../wire/schema/request.js';
import { TenantBody } from '../wire/tenant.wire.js';

export class ConfigureSemanticBody extends request('ConfigureSemanticSpec', {
  ...TenantBody.schema.properties,
  trusted_producers: described(
    nullish(listOf(filledText('MAX_LABEL_CHARS'), { max: MAX_TRUSTED_PRODUCERS })),
    'Producers whose messages may change what other messages support; they replace those set before. A name that ends with `*` stands for all that begin like it. Absent or null = unchanged.',
    ['crm-*'],
  ),

  facts_of: nullish(
    withKeywords(oneOf(FACTS_OF), {
      description:
        '`users`: each fact that is learned from now on has a subject. `project`: none has. What is known stays as it is. Absent = unchanged.',
    }),
  ),

  keep_calls_days: described(
    nullish(integer({ min: 0, max: MAX_KEEP_CALLS_DAYS })),
    'For how many days the calls of language models are kept; 0 keeps none. It counts for calls that are kept already, too. Absent or null = unchanged.',
    7,
  ),

  keep_call_texts: described(
    nullish(Type.Boolean()),
    'Whether they are kept with what the model was shown and replied. `false` removes the texts of calls that are kept already. Absent or null = unchanged.',
    true,
  ),
}) {}

export const semanticSettingsAnswer = Type.Object(
  {
    trusted_producers: Type.Array(Type.String(), {
      description:
        'Producers whose messages may change what other messages support. A name that ends with `*` stands for all that begin like it; `*` alone for every producer.',
    }),
    facts_of: Type.Enum([...FACTS_OF], {
      description:
        'Whom facts are about. `users`: each has a subject, most often the user whose messages say it (`user_id` in their metadata, else their producer). `project`: none has, as in projects that are older than subjects.',
    }),
    keep_calls_days: described(
      Type.Integer(),
      'For how many days the calls of language models are kept (`GET /api/v2/ingestion/calls`); 0: not at all.',
      7,
    ),
    keep_call_texts: described(
      Type.Boolean(),
      'Whether they are kept with what the model was shown and replied.',
      true,
    ),
  },
  { title: 'SemanticSettings' },
);
export type SemanticSettingsAnswer = Static<typeof semanticSettingsAnswer>;
