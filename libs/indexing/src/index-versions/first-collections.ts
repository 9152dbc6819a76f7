import { inBackground } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../collections/vector-collections.js';
import { type IndexVersionModel } from './index-version.js';
import { IndexVersionsRepository } from './index-versions.repository.js';
import { inTime, LATE } from './in-time.js';
import { embedderUnavailable } from './patience.js';

interface Making {
  readonly done: Promise<void>;
  isLate: boolean;
}

/** Makes the collection of an embedder when it is used for the first time, which takes Qdrant seconds on a busy machine. */
@Injectable()
export class FirstCollections {
  /** By fingerprint. */
  private readonly underWay = new Map<string, Making>();

  constructor(
    private readonly repository: IndexVersionsRepository,
    private readonly collections: VectorCollections,
  ) {}

  /** Resolves when there is the collection. @throws AppError `vector_index_unavailable` */
  make(model: IndexVersionModel): Promise<void> {
    return this.begin(model).done;
  }

  /**
   * As `make`, where others wait: for a moment, and not again until the collection is made. It goes on being made.
   * @throws AppError also `embedder_unavailable` when that takes longer
   */
  async makeSoon(model: IndexVersionModel): Promise<void> {
    const making = this.begin(model);
    const isLate = making.isLate || (await inTime(making.done)) === LATE;
    if (!isLate) return;
    making.isLate = true;
    throw embedderUnavailable(model.embedder, 'is used for the first time, and its index is being made');
  }

  private begin(model: IndexVersionModel): Making {
    const { fingerprint } = model;
    const known = this.underWay.get(fingerprint);
    if (known) return known;
    const done = inBackground(() => this.makeNow(model)).finally(() => this.underWay.delete(fingerprint));
    done.catch(() => undefined);
    const making = { done, isLate: false };
    this.underWay.set(fingerprint, making);
    return making;
  }

  private async makeNow(model: IndexVersionModel): Promise<void> {
    // a collection that is known but gone was lost: then what is missing has to be noted before it is made again
    if (await this.repository.addCollection(model)) await this.collections.get(model).ensureCollection();
  }
}
