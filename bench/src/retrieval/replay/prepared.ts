import {
  countTerms,
  encodeDocument,
  encodeQuery,
  inContext,
  MAX_CONTEXT,
  type SparseVector,
} from '@loci/models';
import {
  announcesChange,
  isQuestion,
  type TimeSpan,
  timeSpansIn,
  type Turn,
  lengthOf,
  withoutNames,
} from '@loci/retrieval';
import { type Conversation, type Question, type Turn as Said } from '../dataset.js';
import { type KeptVectors } from './vectors.js';

/** A question, with all that does not depend on weights. */
export interface PreparedQuestion {
  readonly text: string;
  readonly category: string;
  readonly gold: ReadonlySet<string>;
  readonly askedMs: number;
  readonly spans: readonly TimeSpan[];
  /** Of each turn. */
  readonly cosines: readonly number[];
  /** Terms of the query, and of each the turns that have it, by position, with its weight there. */
  readonly terms: readonly { readonly term: number; readonly found: ReadonlyMap<number, number> }[];
}

/** A conversation as one project, everything indexed. */
export interface Prepared {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly vectors: readonly Float32Array[];
  /** In how many of the turns each term is. */
  readonly frequencies: ReadonlyMap<number, number>;
  readonly questions: readonly PreparedQuestion[];
}

/** As the product: when the previous turn is of another session. */
const GAP_MS = 3_600_000;
const PARTICIPANTS_OF = 200;

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export async function prepare(conversation: Conversation, vectors: KeptVectors): Promise<Prepared> {
  const said = [...conversation.turns].sort((a, b) => Date.parse(a.saidAt) - Date.parse(b.saidAt));
  const turns = said.map((turn, index) => toTurn(turn, said[index - 1], said[index + 1]));
  const dense = await vectors.of(
    said.map((turn, index) => textToEmbed(turn, said[index - 1])),
    'document',
  );
  const sparse = said.map(({ saidAt, speaker, text }) =>
    encodeDocument(`${DAY.format(new Date(saidAt))}. ${speaker}: ${text}`),
  );
  const speakers = [...new Set(said.slice(-PARTICIPANTS_OF).map(({ speaker }) => speaker))];
  const { questions } = conversation;
  const queries = await vectors.of(
    questions.map(({ text }) => withoutNames(text, speakers)),
    'query',
  );
  return {
    id: conversation.id,
    turns,
    vectors: dense,
    frequencies: countTerms(sparse),
    questions: questions.map((question, index) => toQuestion(question, queries[index], dense, sparse)),
  };
}

const isBeside = (one: Said, other: Said | undefined): other is Said =>
  other !== undefined && Math.abs(Date.parse(one.saidAt) - Date.parse(other.saidAt)) <= GAP_MS;

const textToEmbed = (turn: Said, previous: Said | undefined): string =>
  inContext(turn.text, isBeside(turn, previous) ? previous.text.slice(-MAX_CONTEXT) : undefined);

const toTurn = (turn: Said, previous: Said | undefined, next: Said | undefined): Turn => ({
  id: turn.id,
  atMs: Date.parse(turn.saidAt),
  speaker: turn.speaker,
  role: turn.role ?? 'user',
  length: lengthOf(turn.text),
  conversation: '',
  announcesChange: announcesChange(turn.text),
  isQuestion: isQuestion(turn.text),
  previous: isBeside(turn, previous) ? previous.id : undefined,
  next: isBeside(turn, next) ? next.id : undefined,
});

function toQuestion(
  { text, category, gold, askedAt }: Question,
  query: Float32Array | undefined,
  dense: readonly Float32Array[],
  sparse: readonly SparseVector[],
): PreparedQuestion {
  const askedMs = Date.parse(askedAt);
  return {
    text,
    category,
    gold: new Set(gold),
    askedMs,
    spans: timeSpansIn(text, askedMs),
    cosines: dense.map((vector) => (query ? dot(vector, query) : 0)),
    terms: encodeQuery(text).indices.map((term) => ({ term, found: weightsOf(term, sparse) })),
  };
}

function weightsOf(term: number, sparse: readonly SparseVector[]): Map<number, number> {
  const found = new Map<number, number>();
  sparse.forEach(({ indices, values }, position) => {
    const at = indices.indexOf(term);
    if (at >= 0) found.set(position, values[at] ?? 0);
  });
  return found;
}

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
};
