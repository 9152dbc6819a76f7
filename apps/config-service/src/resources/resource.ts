import { type ResourceKind, type ResourceState, type ResourceStatus } from '@loci/contracts';
import { partsOf, type ResourcePart } from '@loci/registry';

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
  /** Probes in a row that neither ended nor were given back: their process ended in the middle of them. */
  readonly unfinishedProbes: number;
  /** Whether memory uses it when it is the first language model that is ready and none was ever chosen. */
  readonly mayBeDefault: boolean;
}

/** The right to probe a resource, until it is lost to another replica or to another configuration. */
export interface ProbeClaim {
  readonly resource: Resource;
  readonly token: string;
}

/** A change of the state of a resource. */
export interface Transition {
  readonly from?: ResourceState | undefined;
  readonly to: ResourceState;
  readonly reason: string;
}

export const isSame = (a: ResourceId, b: ResourceId): boolean => a.kind === b.kind && a.name === b.name;

/** Whether a resource would be a part of itself, directly or through others. */
export function containsItself(definition: ResourceDefinition, all: readonly ResourceDefinition[]): boolean {
  const seen = new Set<string>();
  const reaches = (part: ResourcePart): boolean => {
    if (isSame(part, definition)) return true;
    if (part.kind !== 'reranker' || seen.has(part.name)) return false;
    seen.add(part.name);
    return all.some((one) => isSame(one, part) && partsOf(one).some(reaches));
  };
  return definition.kind === 'reranker' && partsOf(definition).some(reaches);
}
