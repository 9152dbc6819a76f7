import { type Conversation } from './dataset.js';
import { MemoryClient } from './memory-client.js';
import { CUTS, judge } from './metrics.js';
import { type Configuration } from './options.js';
import { type Product } from './product.js';
import { Progress } from './progress.js';
import { type Answered } from './report.js';

/** The turn of each uid, by conversation. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Stores every conversation as a project of its own. */
export async function storeAll(product: Product, conversations: readonly Conversation[]): Promise<Stored> {
  const client = new MemoryClient(product.url);
  const progress = new Progress('storing', countTurns(conversations));
  const stored = new Map<string, ReadonlyMap<string, string>>();
  for (const conversation of conversations) {
    stored.set(conversation.id, await client.store(conversation, (turns) => progress.advance(turns)));
  }
  return stored;
}

/** Asks every question, one at a time, and judges the hits. */
export async function askAll(
  product: Product,
  conversations: readonly Conversation[],
  stored: Stored,
  { name, query }: Configuration,
): Promise<Answered[]> {
  const client = new MemoryClient(product.url);
  const questions = conversations.flatMap((conversation) =>
    conversation.questions.map((question) => ({ conversation: conversation.id, question })),
  );
  const progress = new Progress(`asking (${name})`, questions.length);
  const answers: Answered[] = [];
  for (const { conversation, question } of questions) {
    const { uids, tookMs } = await client.ask(conversation, question, { topK: Math.max(...CUTS), ...query });
    const hits = uids.map((uid) => stored.get(conversation)?.get(uid) ?? '');
    const quality = judge(hits, question.gold);
    answers.push({ conversation, question: question.text, category: question.category, quality, tookMs });
    progress.advance();
  }
  return answers;
}

export const countTurns = (conversations: readonly Conversation[]): number =>
  conversations.reduce((sum, { turns }) => sum + turns.length, 0);
