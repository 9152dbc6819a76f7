import { AppError } from '@loci/contracts';
import { type LanguageModel } from '@loci/models';
import { type Episode } from '../episodes/episode.js';
import { maxWords, summaryPrompt } from './summary-prompt.js';

/** A message is not cut shorter than this to make it fit. */
const MIN_CHARS = 200;

/** Writes summaries with a language model. */
export class Summarizer {
  constructor(
    private readonly model: Pick<LanguageModel, 'generateText'>,
    private readonly capacityChars: number,
  ) {}

  /**
   * A summary of what the former one says and of these episodes, no longer than half the window. More than the model
   * reads at once is summarised in halves, one after the other.
   * @throws AppError as `LanguageModel`
   */
  async extend(summary: string, episodes: readonly Episode[]): Promise<string> {
    try {
      const messages = summaryPrompt(summary, episodes, maxWords(this.capacityChars));
      const { text } = await this.model.generateText({ messages });
      return text.trim().slice(0, Math.ceil(this.capacityChars / 2));
    } catch (error) {
      const halves = isTooLong(error) ? halvesOf(episodes) : undefined;
      if (!halves) throw error;
      const [first, second] = halves;
      const soFar = await this.extend(summary, first);
      return second.length === 0 ? soFar : this.extend(soFar, second);
    }
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'model_input_too_long';

/** @returns undefined when there is nothing left to halve */
function halvesOf(episodes: readonly Episode[]): [Episode[], Episode[]] | undefined {
  const [only] = episodes;
  if (episodes.length > 1) {
    const middle = Math.ceil(episodes.length / 2);
    return [episodes.slice(0, middle), episodes.slice(middle)];
  }
  if (!only || only.content.length <= MIN_CHARS) return undefined;
  return [[{ ...only, content: only.content.slice(0, Math.ceil(only.content.length / 2)) }], []];
}
