import { type MemoryConfiguration, type MemoryConfigurationUpdate, type ResourceKind } from '@loci/contracts';
import { type NamedResource } from '../resources/resource-lookup.js';

/** One setting: its name for people, in the public wire and in the file, and where our own shapes have it. */
export interface MemoryField {
  readonly path: readonly string[];
  readonly at: readonly [section: 'episodic' | 'semantic', ...rest: string[]];
  /** The kind of resource that it names, and whether it may name none. */
  readonly names?: { readonly kind: ResourceKind; readonly optional: boolean };
}

const field = (path: string, at: string, names?: MemoryField['names']): MemoryField => {
  const [section, ...rest] = at.split('.');
  if (section !== 'episodic' && section !== 'semantic') throw new Error(`${at} is in no section.`);
  return { path: path.split('.'), at: [section, ...rest], ...(names && { names }) };
};

const longTerm = (name: string, at: string, names?: MemoryField['names']): MemoryField =>
  field(`episodic_memory.long_term_memory.${name}`, `episodic.longTerm.${at}`, names);

const semantic = (name: string, at: string, names?: MemoryField['names']): MemoryField =>
  field(`semantic_memory.${name}`, `semantic.${at}`, names);

const OPTIONAL_LANGUAGE_MODEL = { kind: 'language_model', optional: true } as const;
const EMBEDDER = { kind: 'embedder', optional: false } as const;

/** Every setting of memory. */
export const MEMORY_FIELDS: readonly MemoryField[] = [
  field('episodic_memory.enabled', 'episodic.enabled'),
  field('episodic_memory.long_term_memory_enabled', 'episodic.longTerm.enabled'),
  field('episodic_memory.short_term_memory_enabled', 'episodic.shortTerm.enabled'),
  longTerm('backend', 'backend'),
  longTerm('embedder', 'embedder', EMBEDDER),
  longTerm('reranker', 'reranker', { kind: 'reranker', optional: true }),
  longTerm('vector_graph_store', 'vectorGraphStore'),
  longTerm('vector_store', 'vectorStore'),
  longTerm('segment_store', 'segmentStore'),
  longTerm('properties_schema', 'propertiesSchema'),
  field(
    'episodic_memory.short_term_memory.llm_model',
    'episodic.shortTerm.llmModel',
    OPTIONAL_LANGUAGE_MODEL,
  ),
  field('episodic_memory.short_term_memory.message_capacity', 'episodic.shortTerm.messageCapacity'),
  semantic('enabled', 'enabled'),
  semantic('database', 'database'),
  semantic('storage_backend', 'storageBackend'),
  semantic('feature_store', 'featureStore'),
  semantic('vector_collection', 'vectorCollection'),
  semantic('vector_dimensions', 'vectorDimensions'),
  semantic('llm_model', 'llmModel', OPTIONAL_LANGUAGE_MODEL),
  semantic('embedding_model', 'embeddingModel', EMBEDDER),
  semantic('ingestion_trigger_messages', 'ingestionTriggerMessages'),
  semantic('ingestion_trigger_age_seconds', 'ingestionTriggerAgeSeconds'),
];

type AnyConfiguration = MemoryConfiguration | MemoryConfigurationUpdate;

/** The value of a setting; undefined when it is not there. */
export function valueOf({ at }: MemoryField, configuration: AnyConfiguration): unknown {
  let value: unknown = configuration;
  for (const key of at) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** The resources that a configuration names, each with its path in the public wire. */
export function resourcesNamedIn(configuration: AnyConfiguration): NamedResource[] {
  return MEMORY_FIELDS.flatMap((one) => {
    const name = valueOf(one, configuration);
    if (!one.names || typeof name !== 'string' || (name === '' && one.names.optional)) return [];
    return [{ kind: one.names.kind, name, loc: ['body', ...one.path] }];
  });
}
