import { type CutCandidate, CUT_REASONS, type Explanation, SCORE_PARTS } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { EXAMPLE_UID } from '../wire/examples.js';

const part = Type.Object(
  {
    name: described(
      Type.Enum([...SCORE_PARTS]),
      'Which part of the score it is: `meaning` and `words` are what the episode says itself, the others what surrounds it.',
    ),
    raw: Type.Optional(Type.Number({ description: 'A cosine or a BM25 score; absent where there is none.' })),
    rank: Type.Optional(
      Type.Integer({ description: 'Among the hits of this leg, from 1; absent when it is not among them.' }),
    ),
    weight: Type.Number({ description: 'What the part counts at most.' }),
    contribution: Type.Number({ description: 'What it adds to the sum.' }),
  },
  { title: 'ScorePart' },
);

export const explanationAnswer = Type.Object(
  {
    parts: Type.Array(part, { description: 'Empty for a neighbour that another hit brought in.' }),
    sum: Type.Number({ description: 'Of the contributions; the score is a logistic function of it.' }),
  },
  { title: 'Explanation', description: 'Only when the request asks to explain.' },
);

export const cutAnswer = Type.Object(
  {
    uid: described(Type.String(), 'Id of the episode.', EXAMPLE_UID),
    score: described(Type.Number(), 'The score that it has, 0 to 1.', 0.18),
    reason: described(
      Type.Enum([...CUT_REASONS]),
      'Why it is not among the hits: better ones fill `top_k`, its score is below `score_threshold`, short-term memory shows it, or the filter does not match or it was deleted meanwhile.',
    ),
  },
  { title: 'CutCandidate' },
);

export const fromExplanation = ({ parts, sum }: Explanation): Static<typeof explanationAnswer> => ({
  parts: parts.map(({ name, raw, rank, weight, contribution }) => ({
    name,
    ...(raw !== undefined && { raw }),
    ...(rank !== undefined && { rank }),
    weight,
    contribution,
  })),
  sum,
});

export const fromCut = ({ uid, score, reason }: CutCandidate): Static<typeof cutAnswer> => ({
  uid,
  score,
  reason,
});
