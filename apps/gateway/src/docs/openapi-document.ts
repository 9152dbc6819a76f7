import { VERSION } from '@loci/platform';
import { type WireLimits } from '../wire/schema/wire-limits.js';
import { type JsonSchema } from './json-schema.js';
import { operationIdOf, operationObject } from './operation-object.js';
import { type ControllerClass } from '../wire/handler-arguments.js';
import { type Route, routesOf } from './routes.js';
import { SchemaBook } from './schema-book.js';

const ABOUT = `Long-term memory for fleets of AI agents.

The same memory operations have two prefixes: \`/api/v2\` names the organization and the project in each request, \`/v2\` (hosted) takes the organization from the bearer token. Unknown fields of a request are ignored. Every answer has \`x-request-id\`.

What no operation takes is refused in the same shape: 400 \`bad_request\` when it is not HTTP, 404 \`route_not_found\`, 405 \`method_not_allowed\`, 431 \`headers_too_large\`.`;

const TAGS: Readonly<Record<string, string>> = {
  System: 'Health, metrics and this document.',
  MCP: 'The same memory for clients of the Model Context Protocol.',
  'Semantic Configuration': 'Whose messages a project trusts.',
  'Episodic Configuration': 'Which halves of episodic memory a project uses.',
  'Semantic Memory: Sets':
    'What knowledge is about: a user, a project, whatever the metadata of episodes name.',
  'Semantic Memory: Categories': 'What is extracted from episodes.',
  'Semantic Memory: Features': 'What is known, and where it comes from.',
  Events: 'What happens, as it happens.',
  Statistics: 'What the deployment did of late, and what runs.',
  Webhooks: 'Receivers of events, for administrators.',
  Quotas: 'How much an organization may have.',
  Ingestion: 'How messages become semantic memory: what waits, what was given up, what it costs.',
  Configuration:
    'Models, and how memory works where no project says otherwise; for administrators of the deployment.',
  Keys: 'API keys, for administrators.',
  Audit: 'Who did what, for administrators.',
  Projects: 'What memory is divided into.',
  Memories: 'Add, search, list and delete what agents remember.',
};

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly security: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: {
    readonly securitySchemes: JsonSchema;
    readonly responses: Readonly<Record<string, JsonSchema>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/**
 * The OpenAPI document of the routes of these controllers.
 * @param limits those that the deployment sets; the schemas name them
 * @throws Error that names the undocumented routes
 */
export function openApiDocument(
  controllers: readonly ControllerClass[],
  limits: WireLimits,
): OpenApiDocument {
  const book = new SchemaBook(limits);
  const routes = routesOf(controllers);
  refuseUndocumented(routes);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const names = new Set<string>();
  for (const route of inOrder(routes)) {
    const { path, method, documentation } = route;
    if (!documentation) continue;
    const operationId = operationIdOf(path, documentation.name, names.has(documentation.name));
    names.add(operationId);
    paths[path] = { ...paths[path], [method]: operationObject(route, documentation, { operationId, book }) };
  }
  const used = [...new Set(routes.flatMap(({ tag }) => tag ?? []))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loci',
      version: VERSION,
      description: ABOUT,
      contact: { name: 'Loci' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: used.map((name) => ({ name, ...(TAGS[name] !== undefined && { description: TAGS[name] }) })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: BEARER },
      responses: sorted(book.responses),
      schemas: sorted(book.schemas),
    },
  };
}

const sorted = (parts: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(parts).sort(([one], [other]) => (one < other ? -1 : 1)));

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key or a JWT. A deployment that is open, as one on loopback is by default, asks for none under /api/v2.',
};

/** By prefix, then by path, so that the document does not depend on the order of modules. */
const inOrder = (routes: readonly Route[]): Route[] =>
  [...routes].sort((one, other) => rank(one.path) - rank(other.path) || (one.path < other.path ? -1 : 1));

const rank = (path: string): number => (path.startsWith('/api/v2') ? 0 : path.startsWith('/v2') ? 1 : 2);

function refuseUndocumented(routes: readonly Route[]): void {
  const missing = routes.filter(({ documentation }) => !documentation);
  if (missing.length === 0) return;
  const names = missing.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  throw new Error(`Add @Documented to the handlers of ${names.join(', ')}.`);
}
