import { INSTANT, type EpisodePosition, type Instant } from '@loci/contracts';
import { type Place, reader, type Refused } from '../wire/reading/place.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Where an export goes on behind an episode: opaque for clients. */
export const cursorBehind = ({ createdAt, uid }: EpisodePosition): string =>
  Buffer.from(JSON.stringify(['episode', createdAt, uid])).toString('base64url');

/** The place that a cursor stands for. */
export const exportCursor = reader(
  () => ({ type: 'string', maxLength: 200, description: 'The `cursor` of the last line that arrived.' }),
  (value, place): EpisodePosition | Refused =>
    typeof value === 'string' ? parse(value, place) : refuse(place),
);

function parse(cursor: string, place: Place): EpisodePosition | Refused {
  try {
    const [kind, createdAt, uid, ...rest] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const isValid = kind === 'episode' && isInstant(createdAt) && isUuid(uid) && rest.length === 0;
    return isValid ? { createdAt, uid } : refuse(place);
  } catch {
    return refuse(place);
  }
}

const isInstant = (value: unknown): value is Instant =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const refuse = (place: Place): Refused =>
  place.refuse('cursor', 'Input should be the cursor of a line of an export of this project');
