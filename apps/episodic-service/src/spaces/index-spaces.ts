import { Injectable } from '@nestjs/common';
import { VectorCollections } from '../vectors/vector-collections.js';
import { Embedders } from './embedders.js';
import { type IndexSpace } from './index-space.js';
import { IndexSpacesRepository } from './index-spaces.repository.js';
import { OpenSpace } from './open-space.js';

export interface ProjectSpaces {
  /** Undefined for a project that is not open. */
  readonly active: OpenSpace | undefined;
  readonly building: OpenSpace | undefined;
  /** Every space that may hold vectors of the project. */
  readonly all: readonly OpenSpace[];
}

/** Where the vectors of a project are. */
@Injectable()
export class IndexSpaces {
  constructor(
    private readonly repository: IndexSpacesRepository,
    private readonly collections: VectorCollections,
    private readonly embedders: Embedders,
  ) {}

  /** @throws AppError as `Embedders.named`, when a project has no vectors yet and its embedder cannot be reached */
  async ensure(projectUid: string): Promise<ProjectSpaces> {
    const found = await this.find(projectUid);
    if (found.active) return found;
    await this.activate(projectUid);
    return this.find(projectUid);
  }

  async find(projectUid: string): Promise<ProjectSpaces> {
    const all = (await this.repository.of(projectUid)).map((space) => this.open(space));
    const inState = (state: IndexSpace['state']): OpenSpace | undefined =>
      all.find(({ space }) => space.state === state);
    return { active: inState('active'), building: inState('building'), all };
  }

  open(space: IndexSpace): OpenSpace {
    return new OpenSpace(space, this.collections.get(space), this.embedders);
  }

  private async activate(projectUid: string): Promise<void> {
    const chosen = await this.repository.chosenEmbedder(projectUid);
    if (chosen === undefined) return;
    const name = chosen || this.embedders.defaultName;
    const { fingerprint, dimensions } = await this.embedders.named(name);
    const model = { embedder: name, fingerprint, dimensions };
    // a collection that is known but gone was lost: then what is missing has to be noted before it is made anew
    if (await this.repository.addCollection(model)) await this.collections.get(model).ensureCollection();
    await this.repository.activate(projectUid, model);
  }
}
