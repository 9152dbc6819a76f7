import { type ResourceTransition } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import {
  type ProbeClaim,
  type Resource,
  type ResourceDefinition,
  type ResourceId,
  type Transition,
} from './resource.js';

/** Where resources and their histories are kept. Everything that changes one runs within a change of the registry. */
export abstract class ResourcesRepository {
  /** By kind, then name. */
  abstract list(tx?: Transaction): Promise<Resource[]>;

  abstract find(id: ResourceId, tx?: Transaction): Promise<Resource | undefined>;

  /** Stores the resource or replaces the one of this name; it is pending, and its probe is due. */
  abstract put(definition: ResourceDefinition, revision: number, tx: Transaction): Promise<void>;

  /** Stores its secrets in another encrypted form; nothing else about it changes. */
  abstract reencrypt(definition: ResourceDefinition, tx: Transaction): Promise<void>;

  /** Waits for every transaction that holds the resource; none can hold it then until this one ends. */
  abstract lock(id: ResourceId, tx: Transaction): Promise<void>;

  abstract remove(id: ResourceId, tx: Transaction): Promise<void>;

  /** Keeps resources from being removed until the transaction ends. @returns those that exist */
  abstract hold(ids: readonly ResourceId[], tx: Transaction): Promise<ResourceId[]>;

  /** Makes it pending, its probe due now. */
  abstract probeAgain(id: ResourceId, tx: Transaction): Promise<void>;

  /** Makes it failed; it is probed again after `retryInMs`, or not by itself when that is absent. */
  abstract fail(id: ResourceId, failure: Failure, tx: Transaction): Promise<void>;

  /** Makes it ready. */
  abstract succeed(id: ResourceId, tx: Transaction): Promise<void>;

  /** Whether a probe is due that nobody works on. */
  abstract isProbeDue(): Promise<boolean>;

  /** Counts the probes whose lease ran out, and gives them back. @returns their resources */
  abstract countUnfinished(tx: Transaction): Promise<Resource[]>;

  /** What is due and has no probe under way: first what has an unfinished probe, then what has been due for longest. */
  abstract due(limit: number, tx: Transaction): Promise<Resource[]>;

  /** Takes the probe of a resource for `leaseMs`; what was failed is pending then, with its last error. */
  abstract claimProbe(resource: Resource, leaseMs: number, tx: Transaction): Promise<ProbeClaim>;

  /** Whether the claim still counts: the configuration is the same, and nobody else has claimed it since. */
  abstract isClaimed(claim: ProbeClaim, tx: Transaction): Promise<boolean>;

  /** Gives a claim back undone; it does not count as unfinished. */
  abstract release(claim: ProbeClaim): Promise<void>;

  abstract record(id: ResourceId, transition: Transition, tx: Transaction): Promise<void>;

  /** Newest first. */
  abstract history(id: ResourceId, limit: number): Promise<ResourceTransition[]>;
}

export interface Failure {
  readonly reason: string;
  readonly failures: number;
  readonly retryInMs?: number;
}
