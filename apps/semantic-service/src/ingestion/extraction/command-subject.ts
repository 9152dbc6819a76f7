import { isIndexable, MAX_NAME_BYTES } from '@loci/contracts';
import { type FeatureChange } from '../../features/feature-change.js';
import { type ExtractionCommand, storableName } from './extraction-reply.js';
import { citationOf } from '../../features/feature.js';
import { type IngestionEpisode } from './ingestion-episode.js';
import { namedUser, userOf } from '../../features/message-user.js';

/** About no one in particular. */
const NO_ONE = '';

/** A change, or why there is none. */
export type SubjectChange =
  | { readonly change: Extract<FeatureChange, { kind: 'add' | 'update' | 'delete' }> }
  | { readonly reason: string };

/** The messages that a model is shown. */
export interface ShownMessages {
  readonly batch: readonly IngestionEpisode[];
  /** What was said before in the same conversations: it is not learned from. */
  readonly earlier: readonly IngestionEpisode[];
}

/**
 * A command as a change of what is known of its subject. Of a user it cites messages of this user, and those of others
 * that name the user or are addressed to them, whether the user speaks now or spoke before; what others alone say changes
 * nothing that the user said. A command without a subject is about the user of its messages; about no one in particular
 * where these are of several.
 */
export function aboutSubject(
  { subject: stated, ...command }: ExtractionCommand,
  { batch, earlier }: ShownMessages,
): SubjectChange {
  const shown = [...batch, ...earlier];
  const cited = batch.filter((_, index) => command.messages.includes(index + 1));
  const subject = (stated === undefined ? onlyUser(cited) : whoIs(stated, shown)) ?? NO_ONE;
  if (!isIndexable(subject)) return { reason: TOO_LONG };
  const isOwn = (episode: IngestionEpisode): boolean => userOf(episode) === subject;
  const names = namesOf(subject, shown);
  const supporting = shown.some(isOwn)
    ? cited.filter((one) => isOwn(one) || isAbout(one, subject, names))
    : cited;
  if (supporting.length === 0) return { reason: NOT_SAID };
  const { command: kind, tag, feature: name, value, validity, isSingleValued } = command;
  const about = { subject, tag, name, citations: supporting.map(citationOf) };
  if (kind === 'add') return { change: { kind, value, isSingleValued, ...about, ...validity } };
  const isHearsay = subject !== NO_ONE && !supporting.some(isOwn);
  return {
    change:
      kind === 'delete'
        ? { kind, isHearsay, ...about, validUntil: validity?.validUntil }
        : { kind, isHearsay, value, isSingleValued, ...about, ...validity },
  };
}

const TOO_LONG = `The id of the user whom it is about has more than ${MAX_NAME_BYTES} bytes in UTF-8.`;

const NOT_SAID =
  'None of the messages that it names is of, names, or is addressed to the user whom it is about.';

function onlyUser(episodes: readonly IngestionEpisode[]): string | undefined {
  const [user, ...others] = new Set(episodes.map(userOf));
  return others.length === 0 ? user : undefined;
}

/** The user of the messages that a model means, if that can be one only; else one of whom it says no more than a name. */
function whoIs(stated: string, shown: readonly IngestionEpisode[]): string {
  const users = [...new Set(shown.map(userOf))];
  for (const written of SPELLINGS) {
    const [user, ...others] = users.filter((one) => written(one) === written(stated));
    if (user !== undefined && others.length === 0 && (user === stated || stated.trim() !== '')) return user;
  }
  return storableName(stated);
}

/** What two ids have in common that are one, strictest first. */
const SPELLINGS: readonly ((id: string) => string)[] = [
  (id) => id,
  (id) => id.trim(),
  (id) => id.trim().toLowerCase(),
];

/** The id of a user, and the names under which no other user of the messages speaks. */
function namesOf(subject: string, shown: readonly IngestionEpisode[]): string[] {
  const producers = new Set(
    shown.filter((one) => userOf(one) === subject).map(({ producerId }) => producerId),
  );
  for (const one of shown) if (userOf(one) !== subject) producers.delete(one.producerId);
  return [subject, ...producers];
}

/** A message of another is about a user whom its metadata or its text name, or to whom it is said. */
const isAbout = (
  { content, producedForId, metadata }: IngestionEpisode,
  subject: string,
  names: readonly string[],
): boolean =>
  producedForId === subject ||
  namedUser(metadata) === subject ||
  names.some((name) => isWordIn(name, content));

/** Not as a part of a longer word: Bob is not named by a message about Bobby. Blanks around a name are none of it. */
function isWordIn(name: string, text: string): boolean {
  const word = name.trim().replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'iu').test(text);
}
