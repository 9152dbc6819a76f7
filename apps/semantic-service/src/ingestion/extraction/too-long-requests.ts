import { Injectable } from '@nestjs/common';

/** A model may have got another context since: then it is asked again. */
const REMEMBERED_MS = 10 * 60_000;

const MAX_ENTRIES = 10_000;

interface Size {
  readonly tokens: number;
  readonly until: number;
}

/** What a model is asked for an organization. */
export interface AskedModel {
  readonly orgId: string;
  readonly model: string;
}

interface Known {
  /** The smallest request that was refused. */
  readonly refused?: Size | undefined;
  /** The largest one that was answered. */
  readonly answered?: Size | undefined;
}

/**
 * The smallest requests that language models refused as too long, so that they are not asked the like again and again. A text of
 * which a model makes more tokens than `countTokens` must not make the batches of all others smaller: each organization has its
 * own, and what is no longer than something that was answered says nothing.
 */
@Injectable()
export class TooLongRequests {
  private readonly known = new Map<string, Known>();

  /** @param tokens of a request that was refused as too long, as `countTokens` has it */
  refused(asked: AskedModel, tokens: number, now = performance.now()): void {
    const { refused, answered } = this.of(asked, now);
    if (tokens <= (answered?.tokens ?? 0)) return;
    const size = { tokens: Math.min(tokens, refused?.tokens ?? Infinity), until: now + REMEMBERED_MS };
    this.keep(asked, { answered, refused: size });
  }

  /** @param tokens of a request that was answered */
  answered(asked: AskedModel, tokens: number, now = performance.now()): void {
    const { refused, answered } = this.of(asked, now);
    if (tokens < (answered?.tokens ?? 0)) return;
    const size = { tokens, until: now + REMEMBERED_MS };
    this.keep(asked, { answered: size, refused: refused && refused.tokens > tokens ? refused : undefined });
  }

  /** Whether one of so many tokens, or of fewer, was refused a moment ago. */
  has(asked: AskedModel, tokens: number, now = performance.now()): boolean {
    return tokens >= (this.of(asked, now).refused?.tokens ?? Infinity);
  }

  private of(asked: AskedModel, now: number): Known {
    const { refused, answered } = this.known.get(keyOf(asked)) ?? {};
    const still = (size: Size | undefined): Size | undefined => (size && size.until > now ? size : undefined);
    return { refused: still(refused), answered: still(answered) };
  }

  private keep(asked: AskedModel, known: Known): void {
    const key = keyOf(asked);
    // the last one in the map was noted last
    this.known.delete(key);
    this.known.set(key, known);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_ENTRIES && oldest !== undefined) this.known.delete(oldest);
  }
}

const keyOf = ({ orgId, model }: AskedModel): string => JSON.stringify([orgId, model]);
