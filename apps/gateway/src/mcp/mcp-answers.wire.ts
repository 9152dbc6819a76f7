import { described } from '@loci/platform/schema';
import { Type } from 'typebox';
import { contextCitation } from '../context/context.wire.js';
import { episodeAnswer, listedEpisodeAnswer } from '../memories/episode.wire.js';
import { conflictsAnswer } from '../semantic-conflicts/conflicts.wire.js';
import { featureAnswer } from '../semantic-features/feature-answer.wire.js';
import { nullable } from '../wire/answers.js';
import { EXAMPLE_UID } from '../wire/examples.js';

const done = {
  status: described(Type.Literal(200), 'Always 200: a tool that fails says so as an error.'),
  message: described(Type.Literal('Success'), 'Always the same word.'),
};

export const doneAnswer = Type.Object(done);

export const addedAnswer = Type.Object({
  ...done,
  uid: described(Type.String(), 'Id of the message that was stored: delete_memory takes it.', EXAMPLE_UID),
});

/** An episode as MCP clients get it: see `withNulls`. */
const foundEpisode = Type.Object({
  ...Type.Omit(episodeAnswer, ['metadata', 'score', 'explanation']).properties,
  metadata: described(nullable(Type.Object({})), 'What was noted with the message; null when nothing was.'),
  score: described(nullable(Type.Number()), 'Higher is better, 0 to 1; null for recent messages.'),
});

const foundFeature = Type.Object({
  ...Type.Omit(featureAnswer, ['metadata']).properties,
  metadata: described(
    Type.Object({
      id: described(Type.String(), 'Id of the fact: correct_memory and delete_memory take it.', EXAMPLE_UID),
      citations: described(nullable(Type.Array(Type.String())), 'Uids of the messages behind it, if known.'),
      other: described(nullable(Type.Object({})), 'What a client has noted of it; null when nothing.'),
    }),
    'Its id, and what is noted of it.',
  ),
});

const foundEpisodes = Type.Object({
  long_term_memory: described(
    Type.Object({ episodes: described(Type.Array(foundEpisode), 'Best first.') }),
    'Messages that match the query, from all that is remembered.',
  ),
  short_term_memory: described(
    Type.Object({
      episodes: described(Type.Array(foundEpisode), 'Oldest first.'),
      episode_summary: described(Type.Array(Type.String()), 'One text; empty when there is no summary.'),
    }),
    'The newest messages, whatever the query.',
  ),
});

/** A search: MCP clients know it wrapped. */
export const foundAnswer = Type.Object({
  result: described(
    Type.Object({
      status: described(Type.Literal(0), 'Always 0.'),
      content: described(
        Type.Object({
          episodic_memory: described(nullable(foundEpisodes), 'Messages; null where they are switched off.'),
          semantic_memory: described(nullable(Type.Array(foundFeature)), 'Facts, best first.'),
        }),
        'What was found, by kind of memory.',
      ),
    }),
    'What was found.',
  ),
});

export const contextToolAnswer = Type.Object({
  text: described(
    Type.String(),
    'What is remembered; empty when nothing is. Each line begins with a marker.',
  ),
  tokens: described(Type.Integer(), 'Estimated tokens of the text, at most.', 120),
  citations: described(Type.Array(contextCitation), 'What each marker stands for.'),
});

export const conflictsToolAnswer = Type.Object({
  ...conflictsAnswer.properties,
  total: described(Type.Integer(), 'How many there are on all pages together.', 1),
});

export const listedAnswer = Type.Object({
  episodic_memory: described(Type.Optional(Type.Array(listedEpisodeAnswer)), 'Messages, oldest first.'),
  semantic_memory: described(Type.Optional(Type.Array(featureAnswer)), 'Facts, oldest first.'),
  next_cursor: described(
    Type.Optional(Type.String()),
    'What `cursor` takes for the next page; absent on the last.',
  ),
});
