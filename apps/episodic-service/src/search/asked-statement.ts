import { type OpenIndexVersion } from '@loci/indexing';
import {
  restatement,
  restatementsOf,
  type SimilarityCurve,
  speaksOfAsker,
  statementAskedFor,
  STATEMENTS_LOOKED_AT,
  sumOf,
} from '@loci/retrieval';
import { type Ranking, withGain } from './ranking.js';

interface Asked {
  readonly projectUid: string;
  readonly query: string;
  /** What cannot be a hit. */
  readonly excluded: ReadonlySet<string>;
  /** How far the statement that is asked for is put before the best candidate; 0: the ranking stays as it is. */
  readonly lead: number;
  /** Of the embedder of the index. */
  readonly curve: SimilarityCurve;
}

/**
 * Puts the newer of two statements of one speaker about the same thing before the older when the query asks how it is, and the
 * older before the newer when it asks how it was. What is about the same thing, the vectors of the two say; the index is asked
 * only when there may be such a statement.
 * @throws AppError `vector_index_unavailable`
 */
export async function withAskedStatement(
  ranking: Ranking,
  index: OpenIndexVersion | undefined,
  { projectUid, query, excluded, lead, curve }: Asked,
): Promise<Ranking> {
  const asked = lead > 0 ? statementAskedFor(query) : undefined;
  if (!asked || !index) return ranking;
  const statements = ranking.candidates
    .filter(({ id }) => !excluded.has(id))
    .slice(0, STATEMENTS_LOOKED_AT)
    .map(({ id, atMs, speaker, previous }) => {
      const gained = ranking.contributions.get(id);
      return { id, atMs, speaker, previous, sum: gained ? sumOf(gained) : 0 };
    });
  const found = restatementsOf(statements, asked);
  if (!found) return ranking;
  const { best, others } = found;
  const similar = await index.vectors.similarTo(
    projectUid,
    best.id,
    others.map(({ id }) => id),
  );
  const other = restatement(others, similar, curve, speaksOfAsker(query));
  return other ? withGain(ranking, other.id, best.sum - other.sum + lead) : ranking;
}
