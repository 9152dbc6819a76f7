import { type Problem } from '@loci/contracts';
import { isJsonObject, type JsonObject } from '@loci/platform/schema';

/** How the models of one family take how much they think. */
interface EffortOfFamily {
  readonly models: RegExp;
  readonly efforts: readonly string[];
  readonly fields: (effort: string) => JsonObject;
}

/** Version 4.6 and later; what follows a version of one part is its date. */
const CLAUDE = /anthropic\.claude-(?:opus|sonnet|haiku|fable)-(?:4-[6-9]|[5-9])(?!\d)/;

/**
 * Families whose models take an effort in the additional fields of Converse.
 * @see https://docs.aws.amazon.com/nova/latest/nova2-userguide/using-converse-api.html
 * @see https://platform.claude.com/docs/en/build-with-claude/effort
 */
const FAMILIES: readonly EffortOfFamily[] = [
  {
    models: CLAUDE,
    efforts: ['low', 'medium', 'high'],
    fields: (effort) => ({ output_config: { effort } }),
  },
  {
    models: /amazon\.nova-2-/,
    efforts: ['none', 'low', 'medium', 'high'],
    fields: (effort) => ({
      reasoningConfig:
        effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: effort },
    }),
  },
  {
    models: /openai\.gpt-oss-/,
    efforts: ['low', 'medium', 'high'],
    fields: (effort) => ({ reasoning_effort: effort }),
  },
];

const familyOf = (modelId: string): EffortOfFamily | undefined =>
  FAMILIES.find(({ models }) => models.test(modelId));

/** The additional fields by which a model thinks that much. What it is configured with in its own words counts before. */
export function additionalFields(settings: {
  readonly model_id: string;
  readonly reasoning_effort?: string | undefined;
  readonly additional_model_request_fields?: JsonObject | undefined;
}): JsonObject | undefined {
  const { model_id: id, reasoning_effort: effort, additional_model_request_fields: given } = settings;
  const family = familyOf(id);
  if (effort === undefined || !family?.efforts.includes(effort)) return given;
  return merged(family.fields(effort), given ?? {});
}

/** An effort that the model does not take, or of which it is not known how it takes it. */
export function effortProblem(config: JsonObject): Problem | undefined {
  const { reasoning_effort: effort, model_id: id } = config;
  if (typeof effort !== 'string' || typeof id !== 'string') return undefined;
  const family = familyOf(id);
  if (family?.efforts.includes(effort)) return undefined;
  const known = family
    ? `Input should be ${family.efforts.map((one) => `'${one}'`).join(', ')} for this model`
    : 'Input should be absent: it is not known how this model takes it';
  return {
    loc: ['body', 'config', 'reasoning_effort'],
    msg: `${known}; additional_model_request_fields takes what the model knows in its own words`,
    type: 'value_error',
  };
}

const merged = (one: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => {
      const [first, second] = [one[key], other[key]];
      const both = isJsonObject(first) && isJsonObject(second) ? merged(first, second) : (second ?? first);
      return [key, both];
    }),
  );
