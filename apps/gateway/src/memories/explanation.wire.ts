import { type CutCandidate, CUT_REASONS, type Explanation, SCORE_PARTS } from '@loci/contracts';
import { type Static, Type } from 'typebox';

const part = Type.Object(
  {
    name: Type.Enum([...SCORE_PARTS]),
    raw: Type.Optional(Type.Number({ description: 'A cosine or a BM25 score; absent where there is none.' })),
    rank: Type.Optional(Type.Integer({ description: 'Among the hits of this leg, from 1.' })),
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
    uid: Type.String(),
    score: Type.Number(),
    reason: Type.Enum([...CUT_REASONS]),
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
