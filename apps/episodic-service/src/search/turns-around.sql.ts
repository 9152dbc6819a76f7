import { narrowed, sql } from '@loci/persistence';
import { MAX_COUNTED_BYTES, OPENING_CHARACTERS, WORDS_OF_CHANGE } from '@loci/retrieval';
import { adjacentEpisode, BELONGS } from '../episodes/adjacent-episodes.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';

/** Uid, time in Unix ms, speaker, role, length of the text. */
export type TurnPosition = readonly [
  uid: string,
  atMs: number,
  speaker: string,
  role: string,
  length: number,
];

/** Many rows, column by column; null in all columns where there is no such row. */
type Columns<Row extends readonly unknown[]> = {
  readonly [Column in keyof Row]: readonly (Row[Column] | null)[];
};

export type TurnPositions = Columns<TurnPosition>;

const positionsOf = (table: string, length = `${table}.length`): string => `json_build_array(
  json_agg(${table}.uid), json_agg(date_part('epoch', ${table}.created_at) * 1000), json_agg(${table}.producer_id),
  json_agg(${table}.producer_role), json_agg(${length}))`;

/** As `lengthOf` of the ranking. PostgreSQL knows how many bytes a long text has without reading it. */
const lengthOf = (text: string): string =>
  `CASE WHEN octet_length(${text}) > ${MAX_COUNTED_BYTES} THEN octet_length(${text}) ELSE length(${text}) END`;

const POSITION_COLUMNS = `uid, created_at, producer_id, producer_role, ${lengthOf('content')} AS length`;

const POSITIONS = narrowed<TurnPositions>('json');

/** Of each found episode, where it was asked for. */
const OF_EACH = narrowed<readonly boolean[] | null>('json?');

const QUESTION_MARKS = `'{?,？,؟}'::text[]`;

/** Of the found episodes; those beside them have the same. */
const CONVERSATIONS = narrowed<readonly string[]>('json');

/**
 * Found episodes, and those right before and after each in its conversation. Parameters: the project, the uids, whether to say
 * which announce a change, which are questions, and the text that some of them may have. One row, or none: reading hundreds of them costs the driver more than the search itself, and a JSON array of its own for each of them costs the
 * server a fifth of the statement. What is not asked of the texts is left out by `FILTER`: an aggregate inside of a `CASE` is computed
 * whatever the `CASE` says.
 */
export const TURNS_AROUND = sql({
  name: 'turns_around',
  text: `
SELECT ${positionsOf('found', lengthOf('found.content'))} AS own, json_agg(found.conversation) AS conversations,
       json_agg(left(found.content, ${OPENING_CHARACTERS}) ~* '\\m(${WORDS_OF_CHANGE})\\M') FILTER (WHERE $3) AS changes,
       json_agg(right(rtrim(found.content), 1) = ANY (${QUESTION_MARKS})) FILTER (WHERE $4) AS questions,
       json_agg(found.content = $5) FILTER (WHERE $5::text IS NOT NULL) AS repetitions,
       ${positionsOf('previous')} AS previous, ${positionsOf('next')} AS next
FROM ${episodesByUid('$1', '$2::uuid[]')} AS found
LEFT JOIN LATERAL ${adjacentEpisode('before', POSITION_COLUMNS, 'found')} AS previous ON true
LEFT JOIN LATERAL ${adjacentEpisode('after', POSITION_COLUMNS, 'found')} AS next ON true
WHERE ${BELONGS}
HAVING count(*) > 0`,
  row: {
    own: POSITIONS,
    conversations: CONVERSATIONS,
    changes: OF_EACH,
    questions: OF_EACH,
    repetitions: OF_EACH,
    previous: POSITIONS,
    next: POSITIONS,
  },
});
