import { type ResourceKind } from '@loci/contracts';

/** A resource that another one is made of, and its path in the configuration of that one. */
export interface ResourcePart {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly loc: readonly (string | number)[];
}

/** The resources that a resource is made of. */
export function partsOf({
  provider,
  config,
}: {
  readonly provider: string;
  readonly config: Readonly<Record<string, unknown>>;
}): ResourcePart[] {
  switch (provider) {
    case 'embedder':
      return namesIn(config['embedder_id']).map((name) => ({ kind: 'embedder', name, loc: ['embedder_id'] }));
    case 'rrf-hybrid':
      return namesIn(config['reranker_ids']).map((name, index) => ({
        kind: 'reranker',
        name,
        loc: ['reranker_ids', index],
      }));
    default:
      return [];
  }
}

const namesIn = (value: unknown): string[] =>
  [value].flat().filter((name): name is string => typeof name === 'string');
