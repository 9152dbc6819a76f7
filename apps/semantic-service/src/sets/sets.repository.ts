import { type ResourceKind } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { type MemorySet, type SetConfiguration, type SetType } from './set.js';

/** Where sets and their types are kept. What a scope does not show is not there. */
export abstract class SetsRepository {
  /** Notes the sets that are not known yet. */
  abstract register(sets: readonly MemorySet[], tx?: Transaction): Promise<void>;

  /** The registered set of this public id; the project's own before one of its organization. */
  abstract find(scope: Scope, id: string, tx?: Transaction): Promise<MemorySet | undefined>;

  /** The registered set of this uid. */
  abstract byUid(scope: Scope, uid: string, tx?: Transaction): Promise<MemorySet | undefined>;

  abstract configure(setUid: string, changes: Partial<SetConfiguration>, tx: Transaction): Promise<void>;

  /** Configures what is not configured yet. @returns whether there was something */
  abstract preset(setUid: string, configuration: SetConfiguration, tx: Transaction): Promise<boolean>;

  /** The ids of sets, of any tenant, that were configured to use a resource. */
  abstract using(kind: ResourceKind, name: string, limit: number): Promise<string[]>;

  /** The types that the scope shows, oldest first. */
  abstract types(scope: Scope, tx?: Transaction): Promise<SetType[]>;

  abstract findType(scope: Scope, uid: string, tx?: Transaction): Promise<SetType | undefined>;

  /** As `findType`; the type stays until the transaction ends. */
  abstract holdType(scope: Scope, uid: string, tx: Transaction): Promise<SetType | undefined>;

  /** Adds the type unless there is one of the same owner and tags. @returns the uid of the one that is there */
  abstract addType(type: SetType, tx?: Transaction): Promise<string>;

  /** With its templates. */
  abstract removeType(uid: string, tx: Transaction): Promise<void>;
}
