import { type TermCounts, TermRarity } from '@loci/models';
import { RememberedRevisions, type Revised } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedContent } from '../content/indexed-content.js';
import { type OwnerIndex } from '../index-versions/index-version.js';
import { CountedWords } from './counted-words.js';
import { WordStatisticsRepository } from './word-statistics.repository.js';

/** Of all that is remembered. Of a thousand short messages 6 kB are kept, of a thousand long answers 50 kB. */
const REMEMBERED_BYTES = 32_000_000;

/** What an owner takes beside its terms. */
const OWNER_BYTES = 300;

/** Texts of an owner that a search counts itself: these tell nearly as much as all (`TermRarity`). */
const TEXTS_OF_A_SEARCH = 200;

/** How long such a count holds: a worker counts within seconds, if there is enough to count. */
const COUNT_HOLDS_MS = 5_000;

/**
 * How rare words are in the texts of the owner that is searched, and in no other's. Who searches knows by what it has read anyway
 * whether they were counted again. Where no worker has counted yet, after a burst into an empty project or in a very small one,
 * the search counts.
 */
@Injectable()
export class WordStatistics {
  private readonly remembered = new RememberedRevisions<CountedWords>(REMEMBERED_BYTES, bytesOf);

  /** As revisions, spans of `COUNT_HOLDS_MS`. */
  private readonly countedAtOnce = new RememberedRevisions<CountedWords>(REMEMBERED_BYTES / 8, bytesOf);

  constructor(
    private readonly repository: WordStatisticsRepository,
    private readonly content: IndexedContent<unknown>,
  ) {}

  /** @param index of the owner, as it has just been read */
  async rarityFor(
    ownerUid: string,
    { wordsRevision }: Pick<OwnerIndex, 'wordsRevision'>,
  ): Promise<TermRarity> {
    const read = (): ReturnType<WordStatisticsRepository['of']> => this.repository.of(ownerUid);
    const counted =
      wordsRevision === 0 ? undefined : await this.remembered.find(ownerUid, wordsRevision, read);
    return new TermRarity(counted ?? (await this.countAtOnce(ownerUid)));
  }

  private countAtOnce(ownerUid: string): Promise<TermCounts> {
    const span = Math.floor(Date.now() / COUNT_HOLDS_MS);
    const count = async (): Promise<Revised<CountedWords>> => {
      const texts = await this.content.textsToMatch(ownerUid, TEXTS_OF_A_SEARCH);
      return { revision: span, value: await CountedWords.in(texts) };
    };
    return this.countedAtOnce.find(ownerUid, span, count);
  }
}

const bytesOf = ({ terms }: CountedWords): number => OWNER_BYTES + terms.length;
