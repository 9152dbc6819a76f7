import { AppError, type IndexVersionProgress, type ProjectIndex, type Tenant } from '@loci/contracts';
import {
  Embedders,
  type IndexVersion,
  IndexVersionsRepository,
  ReembeddingsRepository,
} from '@loci/indexing';
import { ENGLISH_ONLY, foreignLanguagesOf } from '@loci/models';
import { rowsOf, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexStateRepository } from '../indexing/index-state.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { NEWEST_CONTENTS } from './newest-contents.sql.js';

/** Episodes whose language is told, and the characters of each that tell it. */
const NEWEST = 50;
const CHARACTERS = 400;

/** Says how far the vectors of a project are. */
@Injectable()
export class ProjectIndexService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly indexVersions: IndexVersionsRepository,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly state: IndexStateRepository,
    private readonly embedders: Embedders,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AppError `project_not_found` */
  async get(tenant: Tenant): Promise<ProjectIndex> {
    const { uid, models } = await this.projects.get(tenant);
    const embedder = models.embedder || this.embedders.defaultName;
    const { indexVersions } = await this.indexVersions.of(uid);
    const active = indexVersions.find(({ state }) => state === 'active');
    const target = indexVersions.find(({ state }) => state === 'building');
    const { episodes, indexed, carried } = await this.state.counts(uid, target?.uid);
    const wanted = await this.fingerprintOf(embedder);
    const problem = wanted.problem ?? (target && (await this.reembeddings.problemOf(target)));
    const isReembedding =
      target !== undefined || (active !== undefined && active.fingerprint !== wanted.fingerprint);
    return {
      state: problem ? 'waiting' : isReembedding ? 'moving' : indexed < episodes ? 'indexing' : 'ready',
      embedder,
      episodes,
      active: active && progressOf(active, indexed),
      target: target && progressOf(target, carried),
      problem,
      unsupportedLanguages: await this.unsupportedLanguages(uid, wanted.fingerprint),
    };
  }

  private async unsupportedLanguages(uid: string, fingerprint: string | undefined): Promise<string[]> {
    if (fingerprint === undefined || !ENGLISH_ONLY.includes(fingerprint)) return [];
    const values = [uid, CHARACTERS, NEWEST];
    const newest = await this.unitOfWork.execute(NEWEST_CONTENTS, values, { scope: rowsOf(uid) });
    const languages = await foreignLanguagesOf(newest.map(({ content }) => content));
    return [...new Set(languages)].sort();
  }

  private async fingerprintOf(name: string): Promise<{ fingerprint?: string; problem?: string }> {
    try {
      return { fingerprint: (await this.embedders.namedSoon(name)).fingerprint };
    } catch (error) {
      if (error instanceof AppError) return { problem: error.message };
      throw error;
    }
  }
}

const progressOf = (
  { embedder, fingerprint, dimensions }: IndexVersion,
  indexed: number,
): IndexVersionProgress => ({
  embedder,
  fingerprint,
  dimensions,
  indexed,
});
