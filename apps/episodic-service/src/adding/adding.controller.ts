import { type AddedEpisodes, addEpisodes, type AddEpisodesRequest } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { EpisodesService } from '../episodes/episodes.service.js';
import { UnsupportedLanguages } from '../search/unsupported-languages.js';

/** Stores episodes, and says how well searches will find them. */
@Controller()
export class AddingController {
  constructor(
    private readonly episodes: EpisodesService,
    private readonly languages: UnsupportedLanguages,
  ) {}

  @Handle(addEpisodes)
  async add(request: AddEpisodesRequest): Promise<AddedEpisodes> {
    const uids = await this.episodes.add(request);
    const texts = request.episodes.map(({ content }) => content);
    return { uids, unsupportedLanguage: await this.languages.ofStored(request.tenant, texts) };
  }
}
