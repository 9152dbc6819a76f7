/**
 * Candidates that are looked at in their dialogue, at least. With a hundred, the second fifty cost as much as the first, and do
 * not raise R@10 (`npm run bench:weights`): 83.5 with fifty and 83.4 with a hundred on LoCoMo, 90.4 and 88.7 on long answers.
 * R@5 is 0.2 higher with a hundred on LoCoMo, and 1.8 lower on long answers.
 */
const MIN_CANDIDATES = 50;

/**
 * How many candidates a search looks at in their dialogue before it looks deeper.
 * @param topK hits that are asked for: twice as many, because the first half may be what short-term memory shows already
 */
export const candidatesFor = (topK: number): number => Math.max(MIN_CANDIDATES, 2 * topK);
