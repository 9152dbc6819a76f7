import { type CutCandidate, CUT_REASONS } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { EXAMPLE_UID } from '../wire/examples.js';

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

export const fromCut = ({ uid, score, reason }: CutCandidate): Static<typeof cutAnswer> => ({
  uid,
  score,
  reason,
});
