/** What a provider takes in one request: OpenAI 300,000 tokens, and a token is seldom less than a character. */
const MAX_BATCH_CHARACTERS = 200_000;

/** Texts in their sequence, grouped so that no group has more than `size` texts or too many characters. */
export function inBatches(
  texts: readonly string[],
  size: number,
  maxLength = MAX_BATCH_CHARACTERS,
): string[][] {
  const batches: string[][] = [];
  let current: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (current.length >= size || (current.length > 0 && characters + text.length > maxLength)) {
      batches.push(current);
      current = [];
      characters = 0;
    }
    current.push(text);
    characters += text.length;
  }
  return current.length > 0 ? [...batches, current] : batches;
}
