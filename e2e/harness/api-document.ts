import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Schema } from './json-arbitrary.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Media {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: { readonly detail?: unknown } }>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** What an operation demands of its callers: a row of docs/access.md. */
export interface AccessRule {
  readonly scope?: 'read' | 'write' | 'admin';
  /** Whether it needs the scope `read`, too. */
  readonly reveals?: boolean;
  readonly level: 'public' | 'project' | 'own' | 'organization' | 'deployment';
  /** What it takes for something of the organization as a whole; absent where it is about nothing of this kind. */
  readonly organization?: 'read' | 'write' | 'admin';
  readonly refuses_other_projects?: boolean;
}

interface OperationObject {
  readonly operationId: string;
  readonly 'x-access': AccessRule;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** One method of one path. */
export interface Operation extends OperationObject {
  readonly path: string;
  /** In capitals. */
  readonly method: string;
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** A field of a JSON body. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

/** What a refusal of an invalid request says of one path. */
interface Problem {
  readonly loc: readonly unknown[];
  readonly type: string;
}

/** The API document that a gateway serves, and what it says of answers. */
export class ApiDocument {
  readonly operations: readonly Operation[];
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(private readonly served: Served) {
    this.operations = Object.entries(served.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        path,
        method: method.toUpperCase(),
      })),
    );
    this.ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    this.ajv.addFormat('loci-filter', true);
    this.ajv.addSchema({ $id: 'document', components: served.components });
  }

  /** @param url of the gateway */
  static async read(url: string): Promise<ApiDocument> {
    return new ApiDocument((await (await fetch(`${url}/openapi.json`)).json()) as Served);
  }

  get schemas(): Readonly<Record<string, Schema>> {
    return this.served.components.schemas;
  }

  /** The fields of the JSON body that an operation takes; undefined when it takes none. */
  fieldsOf({ requestBody }: Operation): Field[] | undefined {
    const schema = requestBody?.content['application/json']?.schema;
    if (!schema) return undefined;
    const { properties = {}, required = [] } = this.resolved(schema) as {
      properties?: Readonly<Record<string, Schema>>;
      required?: readonly string[];
    };
    return Object.entries(properties).map(([name, field]) => ({
      name,
      isRequired: required.includes(name),
      isNullable: isNullable(field),
    }));
  }

  /** The names of all answers of an operation: `200`, and with what tells refusals of one status apart, `404 project_not_found`. */
  answersOf(operation: Operation): string[] {
    return Object.keys(operation.responses).flatMap((status) => {
      const examples = Object.keys(this.mediaOf(operation, status)?.[1].examples ?? {});
      return examples.length > 0 ? examples.map((code) => `${status} ${code}`) : [status];
    });
  }

  /** Which of the documented answers this is. Several for an invalid request with several problems. */
  namesOf(operation: Operation, { status, text }: WireAnswer): string[] {
    const examples = Object.entries(this.mediaOf(operation, String(status))?.[1].examples ?? {});
    if (examples.length === 0) return [String(status)];
    const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
    return examples
      .filter(([name, { value }]) => name === code || sharesProblem(value.detail, detail))
      .map(([name]) => `${status} ${name}`);
  }

  /** What is wrong with an answer, according to the document; undefined: nothing. */
  contradictions(operation: Operation, { status, headers, text }: WireAnswer): unknown {
    const response = this.responseOf(operation, String(status));
    if (!response) return `status ${status} is not documented: ${text}`;
    const missing = Object.entries(response.headers ?? {})
      .filter(([name, { required }]) => required && !headers.has(name))
      .map(([name]) => name);
    if (missing.length > 0) return `${missing.join(', ')} is missing`;
    const [media, described] = this.mediaOf(operation, String(status)) ?? [];
    if (!described) return text === '' ? undefined : `a body where none is documented: ${text}`;
    const type = headers.get('content-type')?.split(';')[0];
    if (media !== type) return `${String(type)} instead of ${String(media)}`;
    if (media !== 'application/json') return undefined;
    const answer: unknown = JSON.parse(text);
    const validate = this.validatorOf(described.schema);
    if (!validate(answer)) return { answer, errors: validate.errors };
    const code = (answer as { code?: unknown } | null)?.code;
    const isKnown = status < 400 || typeof code !== 'string' || code in (described.examples ?? {});
    return isKnown ? undefined : `the code ${code} is not documented for ${status}`;
  }

  private resolved(schema: Schema): Schema {
    const { $ref: reference } = schema;
    return typeof reference === 'string' ? (this.schemas[reference.split('/').at(-1) ?? ''] ?? {}) : schema;
  }

  private responseOf({ responses }: Operation, status: string): Response | undefined {
    const named = responses[status];
    return named?.$ref ? this.served.components.responses[named.$ref.split('/').at(-1) ?? ''] : named;
  }

  private mediaOf(operation: Operation, status: string): [type: string, Media] | undefined {
    return Object.entries(this.responseOf(operation, status)?.content ?? {})[0];
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const known = this.validators.get(key) ?? this.ajv.compile(JSON.parse(key) as object);
    this.validators.set(key, known);
    return known;
  }
}

const isNullable = ({ type, anyOf: choices = [] }: Schema): boolean =>
  [type].flat().includes('null') || (choices as readonly Schema[]).some(isNullable);

/** Whether an answer has the problem that an example shows: the same in the same part of a request. */
function sharesProblem(shown: unknown, found: unknown): boolean {
  if (!Array.isArray(shown) || !Array.isArray(found)) return false;
  const [example] = shown as Problem[];
  return (found as Problem[]).some(({ loc, type }) => type === example?.type && loc[0] === example.loc[0]);
}
