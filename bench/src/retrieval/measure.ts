import { type Conversation } from './dataset.js';
import { type Stored } from './indexing.js';
import { MemoryClient } from './memory-client.js';
import { CUTS, judge } from './metrics.js';
import { type Configuration } from './options.js';
import { type Product } from './product.js';
import { Progress } from './progress.js';
import { type Answered, type Outcome } from './report.js';
import { spentOn } from './spent.js';

/** Asks every question, one at a time, and judges the hits. */
export async function askAll(
  product: Product,
  conversations: readonly Conversation[],
  stored: Stored,
  { name, query }: Configuration,
): Promise<Pick<Outcome, 'answers' | 'asking'>> {
  const client = new MemoryClient(product.url);
  const questions = conversations.flatMap((conversation) =>
    conversation.questions.map((question) => ({ conversation: conversation.id, question })),
  );
  const progress = new Progress(`asking (${name})`, questions.length);
  const answers: Answered[] = [];
  const { spent } = await spentOn(product, async () => {
    for (const { conversation, question } of questions) {
      const { uids, tookMs } = await client.ask(conversation, question, {
        topK: Math.max(...CUTS),
        ...query,
      });
      const hits = uids.map((uid) => stored.get(conversation)?.get(uid) ?? '');
      const quality = judge(hits, question.gold);
      answers.push({ conversation, question: question.text, category: question.category, quality, tookMs });
      progress.advance();
    }
  });
  return { answers, asking: spent };
}
