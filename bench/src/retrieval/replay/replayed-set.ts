import { type Embedder, TermRarity } from '@loci/models';
import { type SearchWeights, SimilarityCurves } from '@loci/retrieval';
import { type Conversation } from '../dataset.js';
import { average, judge, type Quality } from '../metrics.js';
import { type Prepared, prepare, type PreparedQuestion } from './prepared.js';
import { findLegs, type FoundLegs, type Legs, rank } from './replayed-search.js';
import { type KeptVectors } from './vectors.js';

/** Texts that a word is in at least, to be counted (`CountedWords`). */
const MIN_TEXTS = 3;

interface Asked {
  readonly question: PreparedQuestion;
  readonly found: FoundLegs;
}

/** Questions that are left out together when weights are chosen. */
interface Part {
  readonly prepared: Prepared;
  readonly legs: Legs;
  readonly asked: readonly Asked[];
}

/** A set of conversations whose searches are computed as the product computes them, in parts for leaving one out. */
export class ReplayedSet {
  private readonly measured = new Map<string, readonly (readonly Quality[])[]>();

  private constructor(
    readonly name: string,
    readonly parts: readonly Part[],
  ) {}

  /** @param parts how many parts a single conversation is divided into, by what its questions are about */
  static async open(
    name: string,
    conversations: readonly Conversation[],
    { embedder, vectors, parts = 5 }: { embedder: Embedder; vectors: KeptVectors; parts?: number },
  ): Promise<ReplayedSet> {
    const all: Part[] = [];
    for (const conversation of conversations) {
      const prepared = await prepare(conversation, vectors);
      const legs = await legsOf(prepared, embedder);
      const asked = prepared.questions.map((question) => ({
        question,
        found: findLegs(prepared, question, legs),
      }));
      all.push(
        ...(conversations.length > 1 ? [asked] : divided(asked, parts)).map((some) => ({
          prepared,
          legs,
          asked: some,
        })),
      );
    }
    return new ReplayedSet(name, all);
  }

  /** Of each part. @param topK hits that each search is for: what is behind them is not shown */
  measure(weights: SearchWeights, topK = 10): readonly (readonly Quality[])[] {
    const key = JSON.stringify([weights, topK]);
    const known = this.measured.get(key);
    if (known) return known;
    const qualities = this.parts.map(({ prepared, legs, asked }) =>
      asked.map(({ question, found }) =>
        judge(
          rank(prepared, question, { legs, found, weights, topK })
            .slice(0, topK)
            .map(({ id }) => id),
          [...question.gold],
        ),
      ),
    );
    this.measured.set(key, qualities);
    return qualities;
  }

  /** Of the hits of one leg alone. */
  measureLeg(leg: keyof FoundLegs): Quality {
    return average(
      this.parts.flatMap(({ asked }) =>
        asked.map(({ question, found }) =>
          judge(
            found[leg].map(({ id }) => id),
            [...question.gold],
          ),
        ),
      ),
    );
  }
}

const curves = new SimilarityCurves();

/** The same for all questions of a conversation. */
export async function legsOf({ turns, frequencies }: Prepared, embedder: Embedder): Promise<Legs> {
  const rarity = new TermRarity({
    texts: turns.length,
    textsWith: (term) => {
      const found = frequencies.get(term) ?? 0;
      return found >= MIN_TEXTS ? found : 0;
    },
  });
  return {
    curve: await curves.of({
      fingerprint: embedder.fingerprint,
      embedForAll: (texts, inputType) => embedder.embed(texts, { inputType }),
    }),
    documents: rarity.documents,
    rarity: (term) => rarity.of(term),
  };
}

/** Questions about the same come into the same part: those whose first turn is of the same session. */
function divided(asked: readonly Asked[], parts: number): Asked[][] {
  const sessionOf = ({ question }: Asked): string => [...question.gold][0]?.split(':')[0] ?? '';
  const sessions = [...new Set(asked.map(sessionOf))].sort();
  return Array.from({ length: parts }, (_, part) =>
    asked.filter((one) => sessions.indexOf(sessionOf(one)) % parts === part),
  );
}
