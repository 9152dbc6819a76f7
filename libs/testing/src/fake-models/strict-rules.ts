import { isJson } from './provider-answer.js';

const UNKNOWN = ['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'minimum', 'maximum'];

/** What a provider says of a schema that is not strict, as it words it; undefined when it is. */
export function strictnessProblem(schema: unknown, context = '()'): string | undefined {
  if (!isJson(schema)) return undefined;
  const { type, properties, required, additionalProperties } = schema;
  const unknown = UNKNOWN.find((keyword) => schema[keyword] !== undefined);
  if (unknown !== undefined) return `In context=${context}, '${unknown}' is not permitted.`;
  const named = isJson(properties) ? properties : {};
  if (type === 'object') {
    if (additionalProperties !== false) {
      return `In context=${context}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const demanded: readonly unknown[] = Array.isArray(required) ? required : [];
    const missing = Object.keys(named).find((name) => !demanded.includes(name));
    if (missing !== undefined) {
      return `In context=${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  for (const [name, part] of [...Object.entries(named), ['items', schema['items']] as const]) {
    const problem = strictnessProblem(part, `('${name}')`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
