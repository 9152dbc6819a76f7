import { type ImportSemanticRequest, type SemanticParts, type TransferredSet } from '@loci/contracts';
import { Outbox, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type OpenProject } from '../projects/project.js';
import { ProjectsService } from '../projects/projects.service.js';
import { NewSets } from '../sets/new-sets.js';
import { SetsService } from '../sets/sets.service.js';
import { type ImportContext, refuseForeignParts, NamedSets } from './import-context.js';
import { ImportedCitations } from './imported-citations.js';
import { FeatureImport, type ImportedFeatures } from './feature-import.js';
import { StructureImport, type UsableSet } from './structure-import.js';

/** Imports what was exported of another project, or of this one at another time. */
@Injectable()
export class MemoryImport {
  constructor(
    private readonly structure: StructureImport,
    private readonly features: FeatureImport,
    private readonly citations: ImportedCitations,
    private readonly projects: ProjectsService,
    private readonly sets: SetsService,
    private readonly newSets: NewSets,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Adds what is missing, all or none, but for the names of sets; repeating it adds nothing.
   * @returns how many parts were added or completed, and what became of others
   * @throws AppError `category_not_found`, `set_not_found`, `forbidden`, `producer_not_allowed`, `quota_exceeded`, `project_being_deleted`, or `project_not_found` where projects are not created by writing
   */
  async add({ tenant, organization, parts }: ImportSemanticRequest): Promise<ImportedFeatures> {
    refuseForeignParts(parts, organization);
    const project = await this.projects.ensureOpen(tenant);
    const cited = parts.features.flatMap(({ citations, dates = [] }) => [
      ...citations,
      ...dates.flatMap(({ episode }) => episode ?? []),
    ]);
    const episodes = await this.citations.locate(project, cited);
    const sets = await Promise.all(parts.sets.map((set) => this.usable(set)));
    const named = new NamedSets(project);
    await this.register(parts, project, named);
    const done = await this.unitOfWork.run(async (tx) => {
      await this.projects.keepOpen(project, tx);
      const context: ImportContext = { tx, project, sets: named, organization };
      const structure = await this.structure.add({ ...parts, sets }, context);
      const { added, leftOut, datesLeftOut } = await this.features.add(parts.features, episodes, context);
      return { added: structure.added + added, leftOut: structure.leftOut + leftOut, datesLeftOut };
    });
    this.outbox.wake();
    return done;
  }

  private async usable(set: TransferredSet): Promise<UsableSet> {
    const { embedderName, llmName } = await this.sets.usable(set);
    const lacksModel = embedderName !== set.embedderName || llmName !== set.llmName;
    return { ...set, embedderName, llmName, lacksModel };
  }

  /** All sets at once, so that two imports cannot wait for each other, and by themselves: intake waits for that. */
  private async register(
    { sets, categories, features }: SemanticParts,
    project: OpenProject,
    named: NamedSets,
  ): Promise<void> {
    const names = [...sets, ...[...categories, ...features].map(({ set }) => set)];
    const byUid = new Map(names.map((name) => named.of(name)).map((set) => [set.uid, set]));
    await this.unitOfWork.run(async (tx) => {
      await this.projects.keepOpen(project, tx);
      await this.newSets.register([...byUid.values()], tx);
    });
  }
}
