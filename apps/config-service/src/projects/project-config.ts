import { invalid, type Problem, type ProjectConfig, type RequestedProjectConfig } from '@loci/contracts';

/** What the deployment uses where a project asks for nothing in particular. */
export const DEFAULT_PROJECT_CONFIG: ProjectConfig = {
  backend: 'event',
  embedder: 'local',
  reranker: '',
  vectorGraphStore: '',
  vectorStore: 'qdrant',
  segmentStore: 'postgres',
  propertiesSchema: {},
};

/** The names under which this deployment knows its models. */
const KNOWN = { embedder: new Set(['local']), reranker: new Set<string>() } as const;

/**
 * Fills what was left open with the defaults and checks the names of models.
 * @throws AppError `unknown_resource` naming every model that is not registered
 */
export function resolveProjectConfig(requested: RequestedProjectConfig | undefined): ProjectConfig {
  if (!requested) return DEFAULT_PROJECT_CONFIG;
  refuseUnknownModels(requested);
  const backend = requested.backend ?? DEFAULT_PROJECT_CONFIG.backend;
  const isEvent = backend === 'event';
  return {
    backend,
    embedder: requested.embedder || DEFAULT_PROJECT_CONFIG.embedder,
    reranker: requested.reranker || DEFAULT_PROJECT_CONFIG.reranker,
    vectorGraphStore: isEvent ? '' : requested.vectorGraphStore,
    vectorStore: isEvent ? requested.vectorStore || DEFAULT_PROJECT_CONFIG.vectorStore : '',
    segmentStore: isEvent ? requested.segmentStore || DEFAULT_PROJECT_CONFIG.segmentStore : '',
    propertiesSchema: requested.propertiesSchema,
  };
}

function refuseUnknownModels(requested: RequestedProjectConfig): void {
  const problems = (['embedder', 'reranker'] as const)
    .filter((kind) => requested[kind] !== '' && !KNOWN[kind].has(requested[kind]))
    .map((kind) => unknownModel(kind, requested[kind]));
  const [first, ...rest] = problems;
  if (first) throw invalid('unknown_resource', [first, ...rest]);
}

function unknownModel(kind: 'embedder' | 'reranker', name: string): Problem {
  const noun = kind === 'embedder' ? 'Embedder' : 'Reranker';
  return {
    loc: ['body', 'config', kind],
    msg: `invalid argument: ${noun} '${name}' is not defined in the configuration.`,
    type: 'unknown_resource',
  };
}
