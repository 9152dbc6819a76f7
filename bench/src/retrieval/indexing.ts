import { eventually } from '@loci/testing';
import { type Conversation, countTurns } from './dataset.js';
import { MemoryClient } from './memory-client.js';
import { BUILT_IN_EMBEDDER } from './options.js';
import { type Product } from './product.js';
import { Progress } from './progress.js';
import { type Spent, spentOn } from './spent.js';

/** Embedding a large data set takes hours. */
const INDEXING_PATIENCE_MS = 12 * 3_600_000;

/** The turn of each uid, by conversation. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Indexed {
  readonly embedder: string;
  readonly stored: Stored;
  /** On storing, if that was not done before, and on embedding. */
  readonly spent: Spent;
}

/**
 * Stores every conversation as a project of its own and waits until all have their vectors; what is stored already moves
 * to the embedder.
 */
export async function index(
  product: Product,
  conversations: readonly Conversation[],
  embedder: string,
  before: Indexed | undefined,
): Promise<Indexed> {
  const client = new MemoryClient(product.url);
  if (!before) for (const conversation of conversations) await client.open(conversation);
  const { value: stored, spent } = await spentOn(product, async () => {
    if (embedder !== (before?.embedder ?? BUILT_IN_EMBEDDER)) await choose(client, conversations, embedder);
    const uids = before?.stored ?? (await store(client, conversations));
    await complete(client, conversations, embedder);
    return uids;
  });
  await product.settle();
  return { embedder, stored, spent };
}

async function choose(
  client: MemoryClient,
  conversations: readonly Conversation[],
  embedder: string,
): Promise<void> {
  if (embedder !== BUILT_IN_EMBEDDER) await client.register(embedder);
  for (const conversation of conversations) await client.choose(conversation, embedder);
}

async function store(client: MemoryClient, conversations: readonly Conversation[]): Promise<Stored> {
  const progress = new Progress('storing', countTurns(conversations));
  const stored = new Map<string, ReadonlyMap<string, string>>();
  for (const conversation of conversations) {
    stored.set(conversation.id, await client.store(conversation, (turns) => progress.advance(turns)));
  }
  return stored;
}

async function complete(
  client: MemoryClient,
  conversations: readonly Conversation[],
  embedder: string,
): Promise<void> {
  const progress = new Progress(`indexing (${embedder})`, conversations.length);
  for (const conversation of conversations) {
    await eventually(() => client.isIndexedBy(conversation, embedder), {
      what: `the episodes of ${conversation.id} have their vectors`,
      timeoutMs: INDEXING_PATIENCE_MS,
    });
    progress.advance();
  }
}
