import { type ResourceKind, type ResourceState, type ResourceStatus } from '@loci/contracts';

export interface ResourceId {
  readonly kind: ResourceKind;
  readonly name: string;
}

/** What a resource is made of. Credentials in `config` are references or encrypted, never in clear. */
export interface ResourceDefinition extends ResourceId {
  readonly provider: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface Resource extends ResourceDefinition {
  readonly revision: number;
  readonly status: ResourceStatus;
  readonly error?: string | undefined;
  readonly isBuiltIn: boolean;
  /** Failed probes in a row. */
  readonly failures: number;
}

/** The right to probe a resource, until it is lost to another replica or to another configuration. */
export interface ProbeClaim {
  readonly resource: Resource;
  readonly token: string;
}

/** A step in the life of a resource. */
export interface Transition {
  readonly from?: ResourceState | undefined;
  readonly to: ResourceState;
  readonly reason: string;
}

export const isSame = (a: ResourceId, b: ResourceId): boolean => a.kind === b.kind && a.name === b.name;

/** The resources that a resource is made of, each with its place in the configuration. */
export function partsOf({ provider, config }: Pick<ResourceDefinition, 'provider' | 'config'>): Part[] {
  switch (provider) {
    case 'embedder':
      return namesIn(config['embedder_id']).map((name) => ({
        kind: 'embedder',
        name,
        loc: ['embedder_id'],
      }));
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

export interface Part extends ResourceId {
  readonly loc: readonly (string | number)[];
}

const namesIn = (value: unknown): string[] =>
  [value].flat().filter((name): name is string => typeof name === 'string');

/** Whether a resource would be a part of itself, directly or through others. */
export function containsItself(definition: ResourceDefinition, all: readonly ResourceDefinition[]): boolean {
  const seen = new Set<string>();
  const reaches = (part: Part): boolean => {
    if (isSame(part, definition)) return true;
    if (part.kind !== 'reranker' || seen.has(part.name)) return false;
    seen.add(part.name);
    return all.some((one) => isSame(one, part) && partsOf(one).some(reaches));
  };
  return definition.kind === 'reranker' && partsOf(definition).some(reaches);
}
