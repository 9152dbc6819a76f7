import {
  candidatesFor,
  ownScores,
  rankDialogue,
  restatement,
  restatementsOf,
  type SearchWeights,
  type SimilarityCurve,
  speaksOfAsker,
  statementAskedFor,
  STATEMENTS_LOOKED_AT,
  sumOf,
  type Turn,
} from '@loci/retrieval';
import { dot, type Prepared, type PreparedQuestion } from './prepared.js';

/** How rare terms are taken to be in a conversation. */
export type Rarity = (term: number) => number;

export interface Legs {
  readonly curve: SimilarityCurve;
  readonly rarity: Rarity;
  /** Texts that the rarity counts. */
  readonly documents: number;
}

/** As of a search for 50 hits at most. */
const HITS_OF_LEG = 200;

/** What the legs of a search say of each turn, by its position; the same for all weights but `dense`. */
export interface FoundLegs {
  readonly dense: readonly { id: string; score: number }[];
  readonly sparse: readonly { id: string; score: number }[];
}

/** The hits of both legs, as the index would give them. */
export function findLegs({ turns }: Prepared, question: PreparedQuestion, { rarity }: Legs): FoundLegs {
  const bm25 = new Map<number, number>();
  for (const { term, found } of question.terms) {
    const weight = rarity(term);
    for (const [position, value] of found) bm25.set(position, (bm25.get(position) ?? 0) + weight * value);
  }
  return {
    dense: best(
      turns,
      question.cosines.map((score, position) => [position, score] as const),
    ),
    sparse: best(turns, [...bm25]),
  };
}

const best = (turns: readonly Turn[], scores: readonly (readonly [number, number])[]) =>
  [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, HITS_OF_LEG)
    .map(([position, score]) => ({ id: turns[position]?.id ?? '', score }));

/** What a search found, and how it ranks. */
export interface Found {
  readonly legs: Legs;
  readonly found: FoundLegs;
  readonly weights: SearchWeights;
  /** Hits that the search is for: it decides how many candidates are looked at. */
  readonly topK: number;
}

export interface RankedTurn {
  readonly id: string;
  /** What its score is made of (`scoreOfSum`). */
  readonly sum: number;
}

/** What a search ranks, best first, by the formulas of the product. */
export function rank(
  prepared: Prepared,
  question: PreparedQuestion,
  { legs, found, weights, topK }: Found,
): RankedTurn[] {
  const own = ownScores(
    { ...found, waiting: [], curve: legs.curve, terms: question.terms.length, documents: legs.documents },
    weights.dense,
  );
  const strongest = [...own].sort(([, a], [, b]) => b.score - a.score).slice(0, candidatesFor(topK));
  const turns = around(prepared, new Set(strongest.map(([id]) => id)));
  const cues = { query: question.text, spans: question.spans, askedMs: question.askedMs };
  const gained = rankDialogue(turns, own, cues, weights);
  const sums = new Map([...gained].map(([id, contributions]) => [id, sumOf(contributions)]));
  const ranked = byValue(turns, sums);
  const moved = restated(prepared, question, { ranked, sums, curve: legs.curve, weights });
  if (moved) sums.set(...moved);
  return (moved ? byValue(turns, sums) : ranked).map(({ id }) => ({ id, sum: sums.get(id) ?? 0 }));
}

const byValue = (turns: readonly Turn[], sums: ReadonlyMap<string, number>): Turn[] =>
  [...turns].sort(
    (a, b) => (sums.get(b.id) ?? 0) - (sums.get(a.id) ?? 0) || b.atMs - a.atMs || (a.id < b.id ? -1 : 1),
  );

/** The candidates, and what stands right beside them, which knows only these as its neighbours. */
function around({ turns }: Prepared, candidates: ReadonlySet<string>): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const seen = new Map<string, Turn>();
  for (const id of candidates) {
    const turn = byId.get(id);
    if (!turn) continue;
    for (const [beside, link] of [
      [turn.previous, { next: id }],
      [turn.next, { previous: id }],
    ] as const) {
      const neighbour = beside === undefined ? undefined : byId.get(beside);
      if (!neighbour || candidates.has(neighbour.id)) continue;
      const known = seen.get(neighbour.id) ?? {
        ...neighbour,
        previous: undefined,
        next: undefined,
        announcesChange: undefined,
        isQuestion: undefined,
      };
      seen.set(neighbour.id, { ...known, ...link });
    }
    seen.set(id, turn);
  }
  return [...seen.values()];
}

interface Restated {
  readonly ranked: readonly Turn[];
  readonly sums: ReadonlyMap<string, number>;
  readonly curve: SimilarityCurve;
  readonly weights: SearchWeights;
}

/** The statement that comes right before the best one, with its new sum. */
function restated(
  { turns, vectors }: Prepared,
  { text }: PreparedQuestion,
  { ranked, sums, curve, weights }: Restated,
): [string, number] | undefined {
  const asked = weights.statement > 0 ? statementAskedFor(text) : undefined;
  if (!asked) return undefined;
  const statements = ranked
    .slice(0, STATEMENTS_LOOKED_AT)
    .map((turn) => ({ ...turn, sum: sums.get(turn.id) ?? 0 }));
  const found = restatementsOf(statements, asked);
  if (!found) return undefined;
  const vectorOf = new Map(turns.map(({ id }, position) => [id, vectors[position] ?? new Float32Array()]));
  const bestVector = vectorOf.get(found.best.id) ?? new Float32Array();
  const similar = found.others.map(({ id }) => ({
    id,
    score: dot(vectorOf.get(id) ?? new Float32Array(), bestVector),
  }));
  const other = restatement(found.others, similar, curve, speaksOfAsker(text));
  return other && [other.id, found.best.sum + weights.statement];
}
