/** A message as an agent knows it. */
export interface AcknowledgedMessage {
  /** What the acknowledgement called it. */
  readonly uid: string;
  readonly content: string;
  /** What the language model makes of it. */
  readonly fact: string;
}

/** What the product has stored at the end. */
export interface StoredState {
  /** Every episode that clients are shown. */
  readonly episodes: readonly { readonly uid: string; readonly content: string }[];
  /** For each episode, how many jobs have applied what was drawn from it to the set of its project. */
  readonly applied: ReadonlyMap<string, number>;
  /** The values of all features of the sets of projects. */
  readonly facts: readonly string[];
  /** Messages that are not ingested, in all sets. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/** Examples that a problem is shown with. */
const SHOWN = 3;

/** What the product owes to its agents. @returns sentences; none when everything is as it was promised */
export function problemsIn(acknowledged: readonly AcknowledgedMessage[], stored: StoredState): string[] {
  const { episodes, applied, facts, waiting, deadLetters } = stored;
  const contents = new Map(episodes.map(({ uid, content }) => [uid, content]));
  const known = new Set(acknowledged.map(({ uid }) => uid));
  const factCounts = countsOf(facts);
  const jobsOf = ({ uid }: AcknowledgedMessage): number => applied.get(uid) ?? 0;
  return [
    ...sentence(
      'acknowledged and lost',
      acknowledged.filter(({ uid }) => !contents.has(uid)),
    ),
    ...sentence(
      'stored with another text',
      acknowledged.filter(({ uid, content }) => (contents.get(uid) ?? content) !== content),
    ),
    ...sentence('stored twice', twicesOf(episodes)),
    ...sentence(
      'stored and never acknowledged',
      episodes.filter(({ uid }) => !known.has(uid)),
    ),
    ...sentence(
      'never ingested',
      acknowledged.filter((entry) => jobsOf(entry) === 0),
    ),
    ...sentence(
      'ingested more than once',
      acknowledged.filter((entry) => jobsOf(entry) > 1),
    ),
    ...sentence(
      'without its fact',
      acknowledged.filter(({ fact }) => !factCounts.has(fact)),
    ),
    ...sentence(
      'with its fact twice',
      acknowledged.filter(({ fact }) => (factCounts.get(fact) ?? 0) > 1),
    ),
    ...(waiting > 0 ? [`${waiting} messages still wait to be ingested`] : []),
    ...(deadLetters > 0 ? [`${deadLetters} batches were given up`] : []),
  ];
}

function sentence(
  what: string,
  found: readonly { readonly uid: string; readonly content: string }[],
): string[] {
  if (found.length === 0) return [];
  const examples = found.slice(0, SHOWN).map(({ uid, content }) => `"${content}" (${uid})`);
  return [`${found.length} messages ${what}: ${examples.join(', ')}${found.length > SHOWN ? ', ...' : ''}`];
}

/** Every message of ours has a text of its own. */
function twicesOf<Episode extends { readonly content: string }>(episodes: readonly Episode[]): Episode[] {
  const counts = countsOf(episodes.map(({ content }) => content));
  return episodes.filter(({ content }) => (counts.get(content) ?? 0) > 1);
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
