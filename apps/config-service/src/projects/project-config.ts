import {
  type LongTermMemoryConfiguration,
  type ProjectConfig,
  type RequestedProjectConfig,
} from '@loci/contracts';
import { type NamedResource } from '../resources/resource-lookup.js';

/**
 * Fills what a project leaves open with what the deployment uses.
 * @param defaults of the deployment, for long-term memory
 */
export function resolveProjectConfig(
  requested: RequestedProjectConfig | undefined,
  defaults: LongTermMemoryConfiguration,
): ProjectConfig {
  const backend = requested?.backend ?? defaults.backend;
  const isEvent = backend === 'event';
  return {
    backend,
    embedder: requested?.embedder || defaults.embedder,
    reranker: requested?.reranker || defaults.reranker,
    vectorGraphStore: isEvent ? '' : requested?.vectorGraphStore || defaults.vectorGraphStore,
    vectorStore: isEvent ? requested?.vectorStore || defaults.vectorStore : '',
    segmentStore: isEvent ? requested?.segmentStore || defaults.segmentStore : '',
    propertiesSchema: requested?.propertiesSchema ?? defaults.propertiesSchema,
  };
}

/** The models that a project asks for by name. */
export const modelsNamedIn = (
  requested: { readonly embedder?: string | undefined; readonly reranker?: string | undefined } | undefined,
  loc: NamedResource['loc'] = ['body', 'config'],
): NamedResource[] =>
  (['embedder', 'reranker'] as const).flatMap((kind) => {
    const name = requested?.[kind] ?? '';
    return name === '' ? [] : [{ kind, name, loc: [...loc, kind] }];
  });
