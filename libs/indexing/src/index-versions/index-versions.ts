import { AppError } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { Embedders } from './embedders.js';
import { FirstCollections } from './first-collections.js';
import { type IndexVersion, type IndexVersionModel, type OwnerIndex } from './index-version.js';
import { IndexVersionsRepository } from './index-versions.repository.js';
import { OpenIndexVersion } from './open-index-version.js';
import { QueryVectors } from './query-vectors.js';

export interface OwnerIndexVersions {
  /** Undefined for an owner that is not open. */
  readonly active: OpenIndexVersion | undefined;
  readonly building: OpenIndexVersion | undefined;
  /** Every index version that may have vectors of the owner. */
  readonly all: readonly OpenIndexVersion[];
  /** Whether anything of the owner has no up to date vector in the active index version. */
  readonly hasWaiting: boolean;
  /** As of `OwnerIndex`. */
  readonly wordsRevision: number;
}

/** Where the vectors of an owner are. */
@Injectable()
export class IndexVersions {
  private readonly queryVectors = new QueryVectors();

  constructor(
    private readonly repository: IndexVersionsRepository,
    private readonly collections: VectorCollections,
    private readonly embedders: Embedders,
    private readonly firstCollections: FirstCollections,
  ) {}

  /**
   * @throws AppError as `Embedders.namedSoon`, when an owner has no vectors yet and its embedder cannot be reached
   */
  async ensure(ownerUid: string): Promise<OwnerIndexVersions> {
    return this.ensureFrom(ownerUid, await this.repository.of(ownerUid));
  }

  /**
   * As `ensure`, where other owners wait.
   * @throws AppError also `embedder_unavailable` when the collection of its embedder is not made within a moment; it goes on being made
   */
  async ensureSoon(ownerUid: string): Promise<OwnerIndexVersions> {
    const read = await this.repository.of(ownerUid);
    return this.ensureBy(ownerUid, read, (model) => this.firstCollections.makeSoon(model));
  }

  /** As `ensure`, of an owner whose index has just been read. */
  ensureFrom(ownerUid: string, read: OwnerIndex): Promise<OwnerIndexVersions> {
    return this.ensureBy(ownerUid, read, (model) => this.firstCollections.make(model));
  }

  async find(ownerUid: string): Promise<OwnerIndexVersions> {
    return this.of(await this.repository.of(ownerUid));
  }

  /** The index versions of an index that has just been read. */
  of({ indexVersions, hasWaiting, wordsRevision }: OwnerIndex): OwnerIndexVersions {
    const all = indexVersions.map((indexVersion) => this.open(indexVersion));
    const inState = (state: IndexVersion['state']): OpenIndexVersion | undefined =>
      all.find(({ indexVersion }) => indexVersion.state === state);
    return { active: inState('active'), building: inState('building'), all, hasWaiting, wordsRevision };
  }

  open(indexVersion: IndexVersion): OpenIndexVersion {
    const vectors = this.collections.get(indexVersion);
    return new OpenIndexVersion(indexVersion, vectors, this.embedders, this.queryVectors);
  }

  /** Removes all vectors of an owner that is erased, wherever they may be, and forgets where they were. */
  async erase(ownerUid: string): Promise<void> {
    for (const collection of await this.repository.collections()) {
      await this.collections.get(collection).removeTenant(ownerUid).catch(ignoreMissing);
    }
    await this.repository.forget(ownerUid);
  }

  private async ensureBy(
    ownerUid: string,
    read: OwnerIndex,
    makeCollection: (model: IndexVersionModel) => Promise<void>,
  ): Promise<OwnerIndexVersions> {
    const found = this.of(read);
    if (found.active) return found;
    await this.activate(ownerUid, makeCollection);
    return this.find(ownerUid);
  }

  private async activate(
    ownerUid: string,
    makeCollection: (model: IndexVersionModel) => Promise<void>,
  ): Promise<void> {
    const chosen = await this.repository.chosenEmbedder(ownerUid);
    if (chosen === undefined) return;
    const name = chosen || this.embedders.defaultName;
    // not for long, also where no request waits: the owners of other embedders would
    const { fingerprint, dimensions } = await this.embedders.namedSoon(name);
    const model = { embedder: name, fingerprint, dimensions };
    await makeCollection(model);
    await this.repository.activate(ownerUid, model);
  }
}

/** What is not there need not be removed. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'vector_index_missing') throw error;
}
