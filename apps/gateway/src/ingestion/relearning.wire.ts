import { type RelearningCost, type RelearningProgress } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText, nullable } from '../wire/answers.js';
import { EXAMPLE_INSTANT } from '../wire/examples.js';

export const relearningAnswer = Type.Object(
  {
    messages: Type.Integer({
      description: 'Messages to be learned again, each as often as sets learned from it.',
    }),
    features: Type.Integer({ description: 'Features without a subject that only models made: taken away.' }),
    calls: Type.Integer({ description: 'Calls of models, at least.' }),
    input_tokens: Type.Integer({
      description: 'What learning these messages once has taken so far, on average: about as many again.',
    }),
    output_tokens: described(
      Type.Integer(),
      'Tokens of the replies, on average of all times that these messages were learned: about as many again.',
    ),
    cost: described(nullable(Type.Number()), 'The same in money; null for models without prices.'),
  },
  { title: 'Relearning' },
);
export type RelearningAnswer = Static<typeof relearningAnswer>;

export const fromRelearning = (given: RelearningCost): RelearningAnswer => ({
  messages: given.messages,
  features: given.features,
  calls: given.calls,
  input_tokens: given.inputTokens,
  output_tokens: given.outputTokens,
  cost: given.cost ?? null,
});

export const relearningProgressAnswer = Type.Object(
  {
    running: Type.Boolean({
      description:
        'Whether messages are still to be put back into the backlog, or wait there to be learned from.',
    }),
    started_at: described(
      nullable(instantText),
      'When it was ordered last; null when it never was.',
      EXAMPLE_INSTANT,
    ),
    done_at: described(
      nullable(instantText),
      'When all messages were back in the backlog, as the event `relearning.done` tells; null before.',
      EXAMPLE_INSTANT,
    ),
    features_left: described(
      Type.Integer(),
      'Features without a subject that are still to be taken away.',
      120,
    ),
    messages_left: described(
      Type.Integer(),
      'Messages from before it was ordered that wait in the backlog, each as often as sets learn from it. Until `done_at` others may follow.',
      340,
    ),
  },
  { title: 'RelearningProgress' },
);
export type RelearningProgressAnswer = Static<typeof relearningProgressAnswer>;

export const fromRelearningProgress = (given: RelearningProgress): RelearningProgressAnswer => ({
  running: given.isRunning,
  started_at: given.startedAt ?? null,
  done_at: given.putBackAt ?? null,
  features_left: given.featuresLeft,
  messages_left: given.messagesLeft,
});
