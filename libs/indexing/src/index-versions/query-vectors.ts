import { createHash } from 'node:crypto';
import { RequestContext } from '@loci/platform';

/** About 4 MB of the embedded model. */
const MOST = 2_000;

/**
 * The vectors of queries that were asked lately. Of each organization on its own: how fast an answer comes must not tell what
 * others ask.
 */
export class QueryVectors {
  /** The one that was asked for last is the last. */
  private readonly vectors = new Map<string, Float32Array>();

  /**
   * @param fingerprint of the embedder
   * @param embed makes the vector of a query that is not known
   */
  async find(fingerprint: string, query: string, embed: () => Promise<Float32Array>): Promise<Float32Array> {
    const orgId = RequestContext.current()?.orgId;
    // nobody's query is everybody's
    if (orgId === undefined) return embed();
    const key = digestOf(fingerprint, orgId, query);
    const known = this.vectors.get(key);
    const vector = known ?? (await embed());
    this.vectors.delete(key);
    this.vectors.set(key, vector);
    if (this.vectors.size > MOST) this.vectors.delete(this.vectors.keys().next().value ?? '');
    return vector;
  }
}

/** A query may be long, and need not be kept. */
const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');
