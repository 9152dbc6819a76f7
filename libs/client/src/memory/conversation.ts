import { type CallOptions, type WriteOptions } from '../call-options.js';
import { where } from '../filters/where.js';
import { type Episode } from './memories.js';
import { type Memory } from './memory.js';

/** Something that a framework keeps of a conversation, with what it says. */
export interface ConversationItem<Item> {
  /** What becomes JSON, and comes back. */
  readonly item: Item;
  /** What memory searches and learns from; empty for what says nothing, a call of a tool for instance. */
  readonly text: string;
  /** Who says it: `user`, `assistant`, `tool`. */
  readonly role: string;
}

/** Characters of a metadata value: less than Loci takes. */
const PART = 8_000;
const FIRST_PART = 'item.0';

/**
 * The items of one session of a memory, in their sequence, for adapters of frameworks. Each is a message, so that memory
 * learns from them; its own form stands in the metadata.
 */
export class Conversation<Item> {
  private readonly all = where({ metadata: { [FIRST_PART]: { exists: true } } });

  constructor(
    private readonly memory: Memory,
    /** Of the session. */
    readonly id: string,
  ) {}

  async add(items: readonly ConversationItem<Item>[], options: WriteOptions = {}): Promise<void> {
    if (items.length === 0) return;
    const messages = items.map(({ item, text, role }) => ({
      content: text,
      role,
      metadata: storedItem(item),
    }));
    await this.memory.add(messages, options);
  }

  /** @param limit the newest so many; absent: all @returns oldest first */
  async items(limit?: number, options: CallOptions = {}): Promise<Item[]> {
    const episodes = await this.episodes(options);
    return episodes
      .slice(limit === undefined ? 0 : Math.max(0, episodes.length - limit))
      .map((episode) => givenItem(episode) as Item);
  }

  /** Takes the newest item away. */
  async pop(options: WriteOptions = {}): Promise<Item | undefined> {
    const last = (await this.episodes(options)).at(-1);
    if (!last) return undefined;
    await this.memory.forget(last, options);
    return givenItem(last) as Item;
  }

  async clear(options: WriteOptions = {}): Promise<void> {
    await this.memory.forget(this.all, options);
  }

  private async episodes({ signal }: CallOptions): Promise<Episode[]> {
    const episodes: Episode[] = [];
    const chosen = { filter: this.all, kinds: ['episode'] as const, ...(signal && { signal }) };
    for await (const episode of this.memory.list(chosen)) episodes.push(episode);
    return episodes;
  }
}

/** What a framework keeps, as metadata of a message: its JSON in pieces. */
export const storedItem = (item: unknown): Record<string, string> =>
  Object.fromEntries(piecesOf(JSON.stringify(item), PART).map((part, n) => [`item.${n}`, part]));

/** A text in pieces of at most so many UTF-16 units, none of which ends inside a character; none of an empty one. */
export function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(from + most - 1));
    const to = from + (isSplit ? most - 1 : most);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** What `storedItem` was given. @throws SyntaxError for a message that was stored otherwise */
export function givenItem({ metadata }: Pick<Episode, 'metadata'>): unknown {
  let json = '';
  for (let n = 0; ; n += 1) {
    const part = metadata[`item.${n}`];
    if (part === undefined) return JSON.parse(json);
    json += part;
  }
}
