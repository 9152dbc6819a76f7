import { AppError } from '@loci/contracts';
import { type OpenIndexVersion } from '@loci/indexing';
import { encodedQuery, type EncodedQuery } from '@loci/models';

/** What one query means to each embedder by which any set is searched, and its words: each is asked, and they are encoded, once. */
export class QueryMeaning {
  private readonly vectors = new Map<string, Promise<ArrayLike<number> | undefined>>();

  private words: EncodedQuery | undefined;

  constructor(readonly text: string) {}

  get encoded(): EncodedQuery {
    return (this.words ??= encodedQuery(this.text));
  }

  /** Comparable with the vectors of the index version; undefined while its embedder is down: words still find. */
  in(open: OpenIndexVersion): Promise<ArrayLike<number> | undefined> {
    const key = `${open.indexVersion.embedder} ${open.indexVersion.fingerprint}`;
    const known = this.vectors.get(key);
    if (known) return known;
    const asked = embed(open, this.text);
    this.vectors.set(key, asked);
    return asked;
  }
}

async function embed(open: OpenIndexVersion, text: string): Promise<ArrayLike<number> | undefined> {
  try {
    return await open.embedQuery(text);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
