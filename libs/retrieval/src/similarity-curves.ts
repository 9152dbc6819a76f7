import { type SimilarityCurve } from './calibration.js';
import { RELATED_PAIRS } from './related-pairs.js';

/**
 * Of embedders that were measured, by the beginning of their fingerprints; on LoCoMo, split dev, the names of participants
 * taken out of the questions.
 */
const MEASURED: readonly (readonly [fingerprint: string, curve: SimilarityCurve])[] = [
  ['minilm-l6-v2', { midpoint: 0.35, scale: 0.1 }],
  ['gte-small', { midpoint: 0.82, scale: 0.02 }],
];

/** While nothing is known of an embedder: the curve of the embedded one. */
export const DEFAULT_CURVE: SimilarityCurve = { midpoint: 0.35, scale: 0.1 };

/**
 * Where the curve lies between the mean cosine of unrelated texts, 0, and that of questions and their answers, 1. Of the embedded
 * embedder: 0.053 and 0.728. So found, the curve of gte-small, 0.730 and 0.929, is 0.82 and 0.03.
 */
const MIDPOINT = 0.44;
const SCALE = 0.148;

/** An embedder that tells questions from answers by less has no curve of its own. */
const MIN_DISTANCE = 0.02;

/** An embedder whose curve may have to be found. */
export interface CurveSource {
  readonly fingerprint: string;
  /** Called where the curve is not known, for all who ask for it. */
  embedForAll(...texts: Parameters<EmbedTexts>): ReturnType<EmbedTexts>;
}

/** Makes one vector of length 1 for each text. */
export type EmbedTexts = (
  texts: readonly string[],
  inputType: 'query' | 'document',
) => Promise<readonly ArrayLike<number>[]>;

/**
 * The curves of embedders. That of one which was not measured is found by embedding a few questions and answers, once in the life
 * of a process: the cosines of some models spread between 0.7 and 0.9, where the curve of another would tell nothing apart.
 */
export class SimilarityCurves {
  private readonly found = new Map<string, Promise<SimilarityCurve>>();

  /**
   * The default counts without an embedder, and when it does not answer; then the next call tries again.
   */
  async of(embedder: CurveSource | undefined): Promise<SimilarityCurve> {
    if (!embedder) return DEFAULT_CURVE;
    const { fingerprint } = embedder;
    const measured = MEASURED.find(([beginning]) => fingerprint.startsWith(beginning))?.[1];
    if (measured) return measured;
    let finding = this.found.get(fingerprint);
    if (!finding) {
      finding = findCurve((texts, inputType) => embedder.embedForAll(texts, inputType));
      this.found.set(fingerprint, finding);
    }
    try {
      return await finding;
    } catch {
      this.found.delete(fingerprint);
      return DEFAULT_CURVE;
    }
  }
}

/** @throws what `embed` throws */
async function findCurve(embed: EmbedTexts): Promise<SimilarityCurve> {
  const [questions, answers] = await Promise.all([
    embed(
      RELATED_PAIRS.map(([question]) => question),
      'query',
    ),
    embed(
      RELATED_PAIRS.map(([, answer]) => answer),
      'document',
    ),
  ]);
  const related = mean(questions.map((question, index) => cosine(question, answers[index] ?? [])));
  const unrelated = mean(
    questions.flatMap((question, index) =>
      answers.filter((_, other) => other !== index).map((answer) => cosine(question, answer)),
    ),
  );
  const distance = related - unrelated;
  if (!(distance >= MIN_DISTANCE)) return DEFAULT_CURVE;
  return { midpoint: unrelated + MIDPOINT * distance, scale: SCALE * distance };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
