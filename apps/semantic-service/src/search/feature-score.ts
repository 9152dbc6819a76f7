/** The share of meaning, against words, in a score. Features are short: a word that fits tells less than in a message. */
export const DENSE_WEIGHT = 0.7;

/** Where a question that has an answer is as likely to be missed as one without is to be answered: `npm run bench:features`. */
const MIDPOINT = 0.36;
const SCALE = 0.1;

/**
 * How much a feature has to do with a query, 0 to 1: the same for every query, set and list.
 * @param sum its meaning and its words, weighted, 0 to 1
 */
export const featureScore = (sum: number): number => 1 / (1 + Math.exp((MIDPOINT - sum) / SCALE));
