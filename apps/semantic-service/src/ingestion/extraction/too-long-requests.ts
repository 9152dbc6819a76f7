import { Injectable } from '@nestjs/common';

/** A model may have got another context since: then it is asked again. */
const REMEMBERED_MS = 10 * 60_000;

const MAX_ENTRIES = 10_000;

interface Refused {
  readonly tokens: number;
  readonly until: number;
}

/** What a model is asked for an organization. */
export interface AskedModel {
  readonly orgId: string;
  readonly model: string;
}

/**
 * The smallest requests that language models refused as too long, so that they are not asked the like again and again. Each
 * organization has its own: texts of one whose tokens are counted wrongly make batches of no other one smaller.
 */
@Injectable()
export class TooLongRequests {
  private readonly smallest = new Map<string, Refused>();

  /** @param tokens of the request, as `countTokens` has it */
  note(asked: AskedModel, tokens: number, now = Date.now()): void {
    const key = keyOf(asked);
    const known = this.known(key, now) ?? Infinity;
    // the last one in the map was noted last
    this.smallest.delete(key);
    this.smallest.set(key, { tokens: Math.min(tokens, known), until: now + REMEMBERED_MS });
    const [oldest] = this.smallest.keys();
    if (this.smallest.size > MAX_ENTRIES && oldest !== undefined) this.smallest.delete(oldest);
  }

  /** Whether one of so many tokens, or of fewer, was refused a moment ago. */
  has(asked: AskedModel, tokens: number, now = Date.now()): boolean {
    return tokens >= (this.known(keyOf(asked), now) ?? Infinity);
  }

  private known(key: string, now: number): number | undefined {
    const refused = this.smallest.get(key);
    return refused && refused.until > now ? refused.tokens : undefined;
  }
}

const keyOf = ({ orgId, model }: AskedModel): string => JSON.stringify([orgId, model]);
