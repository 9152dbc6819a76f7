import { eventually } from '@loci/testing';
import { type Client, type Json } from '../harness/client.js';

/** Of what has left the short-term window of a project. */
export async function summaryOf(client: Client): Promise<string> {
  const body = await client.expect(200, '/memories/search', { query: 'x', types: ['episodic'] });
  const { episodic_memory: memory } = body['content'] as { episodic_memory: Json };
  const { episode_summary: summary } = memory['short_term_memory'] as { episode_summary: string[] };
  return summary.join();
}

/**
 * A worker that has not heard yet which model summarises writes no summary of what it follows, until more is said.
 * @param talk says more than fits into the window
 */
export async function untilSummaryIs(
  expected: string,
  client: Client,
  talk: () => Promise<unknown>,
): Promise<void> {
  const isWritten = async (): Promise<boolean> => {
    await talk();
    return (await summaryOf(client)) === expected;
  };
  await eventually(isWritten, { what: 'a first summary' });
}
