import { type Tenant } from '@loci/contracts';
import { Embedders, LOCAL_EMBEDDER } from '@loci/indexing';
import { ENGLISH_ONLY, foreignLanguagesOf } from '@loci/models';
import { Injectable } from '@nestjs/common';
import { type SearchedProject, SearchedProjects } from './searched-projects.js';

/** Texts of one request that are looked at. */
const MOST_TEXTS = 3;

/** Tells which languages the embedder of a project was not trained on: their words find, their meaning hardly does. */
@Injectable()
export class UnsupportedLanguages {
  constructor(
    private readonly searched: SearchedProjects,
    private readonly embedders: Embedders,
  ) {}

  /**
   * The first that is met in texts that were stored. It never fails: they are stored.
   * @returns ISO 639-1; undefined when there is none
   */
  async ofStored(tenant: Tenant, texts: readonly string[]): Promise<string | undefined> {
    try {
      const [language] = await foreignLanguagesOf(texts.slice(0, MOST_TEXTS));
      const searched = language && (await this.searched.find(tenant));
      return searched && this.readsEnglishOnly(searched) ? language : undefined;
    } catch {
      return undefined;
    }
  }

  /** That of a query, if it is one. @returns ISO 639-1 */
  async ofQuery(searched: SearchedProject, query: string): Promise<string | undefined> {
    if (!this.readsEnglishOnly(searched)) return undefined;
    const [language] = await foreignLanguagesOf([query]);
    return language;
  }

  /** A project without vectors will have those of its embedder. */
  private readsEnglishOnly({ project, index }: SearchedProject): boolean {
    const active = index.indexVersions.find(({ state }) => state === 'active');
    if (active) return ENGLISH_ONLY.includes(active.fingerprint);
    return (project.models.embedder || this.embedders.defaultName) === LOCAL_EMBEDDER;
  }
}
