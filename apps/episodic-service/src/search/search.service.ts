import { type Filter, type SearchEpisodesRequest, type SearchEpisodesResponse } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { type Episode } from '../episodes/episode.js';
import { EpisodesRepository } from '../episodes/episodes.repository.js';
import { MemorySettings } from '../memory/memory-settings.js';
import { Conversations } from '../episodes/conversations.js';
import { SummariesRepository } from '../summaries/summaries.repository.js';
import { windowChars } from '../summaries/window-chars.js';
import { Rerankers } from './rerankers.js';
import { LongTermSearch } from './long-term-search.js';
import { SearchedProjects } from './searched-projects.js';
import { UnsupportedLanguages } from './unsupported-languages.js';

@Injectable()
export class SearchService {
  constructor(
    private readonly searched: SearchedProjects,
    private readonly conversations: Conversations,
    private readonly episodes: EpisodesRepository,
    private readonly longTerm: LongTermSearch,
    private readonly summaries: SummariesRepository,
    private readonly memory: MemorySettings,
    private readonly rerankers: Rerankers,
    private readonly languages: UnsupportedLanguages,
  ) {}

  /** A missing project finds nothing. What short-term memory shows, long-term memory does not repeat, unless that is asked for. */
  async search(request: SearchEpisodesRequest): Promise<SearchEpisodesResponse> {
    const { query, filter, topK } = request;
    const searched = await this.searched.find(request.tenant, this.conversations.askedFor(filter));
    if (!searched) return { enabled: true, longTerm: [], shortTerm: [], summary: '', degraded: [] };
    const { project, index, participants, shares } = searched;
    const { longTermEnabled, shortTermEnabled } = project.settings;
    if (!project.settings.enabled || !this.memory.isEnabled)
      return { enabled: false, longTerm: [], shortTerm: [], summary: '', degraded: [] };

    const showing =
      shortTermEnabled && this.memory.isShortTermEnabled
        ? this.showShortTerm(project.uid, filter, topK)
        : Promise.resolve({ episodes: [], summary: '' });
    const exclude = showing.then(
      ({ episodes: shown }) => new Set(request.rankShortTerm ? [] : shown.map(({ uid }) => uid)),
    );
    // who fails first is reported; the other must not be left unheard
    exclude.catch(() => undefined);
    const searching =
      longTermEnabled && this.memory.isLongTermEnabled
        ? this.longTerm.search({
            projectUid: project.uid,
            index,
            participants,
            shares,
            query,
            filter,
            topK,
            scoreThreshold: request.scoreThreshold,
            expandContext: request.expandContext,
            diversity: request.diversity ?? 0,
            explain: request.explain ?? false,
            referenceMs: request.referenceTime ? Date.parse(request.referenceTime) : Date.now(),
            reranker: this.rerankers.of(project.models),
            exclude,
          })
        : Promise.resolve({ episodes: [], cut: undefined, degraded: [] });
    const [shortTerm, longTerm, unsupportedLanguage] = await Promise.all([
      showing,
      searching,
      this.languages.ofQuery(searched, query),
    ]);
    return {
      enabled: true,
      longTerm: longTerm.episodes,
      cut: longTerm.cut,
      shortTerm: shortTerm.episodes,
      summary: shortTerm.summary,
      degraded: longTerm.degraded,
      unsupportedLanguage,
    };
  }

  /** The newest episodes, and in short what is older. */
  private async showShortTerm(
    projectUid: string,
    filter: Filter | undefined,
    limit: number,
  ): Promise<{ episodes: Episode[]; summary: string }> {
    const isSummarized = this.memory.summaryModel !== undefined;
    const summary = isSummarized ? await this.summaries.textOf(projectUid) : '';
    const capacityChars = windowChars(this.memory.capacityChars, summary);
    return { episodes: await this.episodes.newest(projectUid, filter, { capacityChars, limit }), summary };
  }
}
