import { splitEvenly } from '../embedding/split-text.js';
import { withoutContext } from '../embedding/text-in-context.js';

/** Windows of a text at most: of a longer one so many are read, evenly spread over it, so that its cost has a bound. */
export const MAX_WINDOWS = 8;

/**
 * The parts of a text that a model reads one by one, because it would read the beginning alone; each with what the text answers.
 * @param characters of a window at most, besides what the text answers
 */
export function windowsOf(text: string, characters: number): string[] {
  const [said, context] = withoutContext(text);
  if (said.length <= characters) return [text];
  const all = splitEvenly(said, characters);
  const count = Math.min(all.length, MAX_WINDOWS);
  const positions = Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * all.length) / count));
  return positions.map((position) => `${all[position] ?? ''}${context}`);
}

/**
 * One vector for each text: of several windows the one that points where their mean does, so that all of a long text can be
 * found by it, and the index keeps one vector for each text.
 * @param vectors of all windows of all texts, in order, of length 1
 */
export function joined(
  vectors: readonly Float32Array[],
  windows: readonly (readonly string[])[],
): Float32Array[] {
  let next = 0;
  return windows.map(({ length }) => {
    const own = vectors.slice(next, next + length);
    next += length;
    return meanOf(own);
  });
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  if (vectors.length === 1) return first;
  const sum = first.map((_, dimension) =>
    vectors.reduce((total, vector) => total + (vector[dimension] ?? 0), 0),
  );
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}
