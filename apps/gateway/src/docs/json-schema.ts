/** A JSON schema of the dialect of OpenAPI 3.1 (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of what may also be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const choices: unknown = schema['enum'];
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(choices) && { enum: [...(choices as unknown[]), null] }),
  };
}
