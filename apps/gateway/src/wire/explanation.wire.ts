import { type Explanation, type RerankerPart, SCORE_PARTS } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';

const part = Type.Object(
  {
    name: described(
      Type.Enum([...SCORE_PARTS]),
      'Which part of the score it is: `meaning` and `words` are what the text says itself, the others what surrounds an episode.',
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

const rerankerPart = Type.Object(
  {
    raw: Type.Number({ description: 'As the reranker scored the hit, on a scale of its own.' }),
    rank: Type.Integer({ description: 'Among the hits that it read, from 1.' }),
    opinion: Type.Number({ description: '`raw` on the scale of the hits that it read, 0 to 1.' }),
    weight: Type.Number({
      description: 'Its share of the score, which is `(1 - weight) * score_before + weight * opinion`.',
    }),
    score_before: Type.Number({ description: 'What the sum alone made the score.' }),
  },
  { title: 'RerankerPart' },
);

export const explanationAnswer = Type.Object(
  {
    parts: Type.Array(part, { description: 'Empty for a neighbour that another hit brought in.' }),
    sum: Type.Number({
      description: 'Of the contributions; the score, before a reranker, is a logistic function of it.',
    }),
    reranker: described(
      Type.Optional(rerankerPart),
      'What a reranker made of it. Absent where none read the hit: the project has none, it is down, or another hit brought this one in.',
    ),
  },
  { title: 'Explanation', description: 'Only when the request asks to explain.' },
);

export type ExplanationAnswer = Static<typeof explanationAnswer>;

export const fromExplanation = ({ parts, sum, reranker }: Explanation): ExplanationAnswer => ({
  parts: parts.map(({ name, raw, rank, weight, contribution }) => ({
    name,
    ...(raw !== undefined && { raw }),
    ...(rank !== undefined && { rank }),
    weight,
    contribution,
  })),
  sum,
  ...(reranker && { reranker: fromReranker(reranker) }),
});

const fromReranker = (part: RerankerPart): Static<typeof rerankerPart> => ({
  raw: part.raw,
  rank: part.rank,
  opinion: part.opinion,
  weight: part.weight,
  score_before: part.scoreBefore,
});
