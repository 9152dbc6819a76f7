import { type Limit } from './wire-limits.js';

/** A JSON schema of the dialect of OpenAPI 3.1 (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a schema is built with: the limits of the deployment, and a place for schemas that are referred to by name. */
export interface SchemaContext {
  readonly limit: (limit: Limit) => number;
  /**
   * @param make is asked once
   * @param owner what the schema is of; absent for one that has the name in itself
   * @returns a reference to the schema of that name
   * @throws Error when the name is that of another one's
   */
  readonly named: (name: string, make: () => JsonSchema, owner?: object) => JsonSchema;
}

/** Describes the values that a reader takes, in the form that clients should send; it may understand others, too. */
export type Describe = (context: SchemaContext) => JsonSchema;

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
