import {
  EPISODE_GROUPINGS,
  type EpisodeGroup,
  EPISODES_PER_GROUPS_PAGE,
  type GroupEpisodesRequest,
  MAX_NAME_BYTES,
  type RowPosition,
} from '@loci/contracts';
import { described, nullish, oneOf, optional, parsed, Unreadable } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { instantText } from '../wire/answers.js';
import { wireInstant } from '../wire/instant.wire.js';
import { readRowPosition } from '../wire/row-position.js';
import { filter } from '../wire/schema/filter.js';
import { request } from '../wire/schema/request.js';
import { TenantBody, tenantOf } from '../wire/tenant.wire.js';

/** Opaque for clients. */
export const writeGroupsCursor = ({ createdAt, uid }: RowPosition): string =>
  Buffer.from(JSON.stringify([createdAt, uid])).toString('base64url');

const NO_CURSOR = Unreadable.as({
  type: 'cursor',
  msg: 'Input should be empty, or the header x-next-cursor of a page of this count',
});

function readCursor(cursor: string): RowPosition | undefined | Unreadable {
  if (cursor === '') return undefined;
  try {
    const [createdAt, uid] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return readRowPosition(createdAt, uid) ?? NO_CURSOR;
  } catch {
    return NO_CURSOR;
  }
}

const groupsCursor = parsed<RowPosition | undefined>(
  {
    type: 'string',
    maxLength: 300,
    description: 'The `x-next-cursor` of the page before; absent or empty = the newest messages.',
  },
  (value) => (typeof value === 'string' ? readCursor(value) : NO_CURSOR),
);

export class GroupEpisodesBody extends request('GroupEpisodesSpec', {
  ...TenantBody.schema.properties,
  by: described(
    oneOf(EPISODE_GROUPINGS),
    '`user`: whom a message is of: its metadata `user_id`, else its producer, unless its role is that of an assistant, the system or a tool. `session`: its metadata `session_id`. `producer`: who said it.',
    'user',
  ),
  cursor: nullish(groupsCursor),
  filter: optional(filter),
}) {}

export const toGroupEpisodes = (body: GroupEpisodesBody): GroupEpisodesRequest => ({
  tenant: tenantOf(body),
  by: body.by,
  filter: body.filter,
  before: body.cursor,
});

const groupAnswer = Type.Object(
  {
    name: described(
      Type.String(),
      `Of the user, session or producer; empty for messages of none, and of those whose names have more than ${MAX_NAME_BYTES.toLocaleString('en')} bytes as JSON.`,
      'alice',
    ),
    episodes: described(Type.Integer(), 'Messages of it on this page.', 12),
    first_at: described(instantText, 'When the oldest of these was said.'),
    last_at: described(instantText, 'When the newest of these was said.'),
  },
  { title: 'EpisodeGroup' },
);

export const groupsAnswer = Type.Object(
  { groups: Type.Array(groupAnswer, { description: 'Those with the latest message first.' }) },
  { title: 'EpisodeGroups' },
);
export type GroupsAnswer = Static<typeof groupsAnswer>;

export const fromGroup = ({ name, episodes, firstAt, lastAt }: EpisodeGroup): Static<typeof groupAnswer> => ({
  name,
  episodes,
  first_at: wireInstant(firstAt),
  last_at: wireInstant(lastAt),
});

export const GROUPS_DESCRIPTION = `A page looks through the newest ${EPISODES_PER_GROUPS_PAGE.toLocaleString('en')} messages that come before its \`cursor\`, so that it costs the same in a project of any size. A group with messages on several pages is on each of them: the counts add up. A page may be empty and not be the last: go on while there is an \`x-next-cursor\`. A project that does not exist has none.`;
