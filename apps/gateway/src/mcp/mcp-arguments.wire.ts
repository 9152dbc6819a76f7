import {
  byDefault,
  described,
  filledText,
  integer,
  listOf,
  nullAsAbsent,
  nullish,
  oneOf,
  optional,
  text,
} from '@loci/platform/schema';
import { contextQuery } from '../context/context.wire.js';
import { listCursor } from '../memories/list-cursor.js';
import { filter } from '../wire/schema/filter.js';
import { identifier } from '../wire/schema/identifier.js';
import { request } from '../wire/schema/request.js';

/** A text, as not all model providers take a choice of types; the request that it becomes a part of reads it. */
const asOf = described(
  nullish(text('MAX_LABEL_CHARS')),
  'Only facts that held at this moment, by what is known today: ISO 8601. Left out = those that hold.',
  '2024-05-01',
);

/** The ids of a tool call; headers of the client go before them. */
class ProjectArguments extends request('ProjectArguments', {
  org_id: described(
    nullish(identifier),
    'Organization. Leave it out: the connection most often says which.',
    'acme',
  ),
  proj_id: described(
    nullish(identifier),
    'Project in the organization. Leave it out: the connection most often says which.',
    'travel-agent',
  ),
}) {}

class UserArguments extends request('UserArguments', {
  ...ProjectArguments.schema.properties,
  user_id: described(
    nullish(identifier),
    'Id of the user whose memory it is. Leave it out if the connection says who the user is.',
    'alice',
  ),
}) {}

export class AddMemoryArguments extends request('AddMemoryArguments', {
  ...UserArguments.schema.properties,
  content: described(
    text('MAX_CONTENT_CHARS'),
    'What to remember: one statement that can be understood without the conversation, with names instead of pronouns.',
    'Alice prefers window seats on flights.',
  ),
}) {}

export class SearchMemoryArguments extends request('SearchMemoryArguments', {
  ...UserArguments.schema.properties,
  query: described(
    text('MAX_QUERY_CHARS'),
    'What is looked for, as a question or a sentence.',
    'Where does Alice like to sit?',
  ),
  top_k: described(byDefault(integer({ min: 1, max: 'MAX_TOP_K' }), 20), 'The most hits of each kind.'),
  as_of: asOf,
}) {}

export class GetContextArguments extends request('GetContextArguments', {
  ...UserArguments.schema.properties,
  ...contextQuery,
  as_of: asOf,
}) {}

/** Few enough for the window of a model. */
const PAGE_SIZE = 20;

export class ListMemoriesArguments extends request('ListMemoriesArguments', {
  ...UserArguments.schema.properties,
  kind: described(
    byDefault(oneOf(['episodic', 'semantic']), 'semantic'),
    '`semantic`: what is known, as facts. `episodic`: messages as they were said, oldest first.',
  ),
  filter: described(
    optional(filter),
    "A condition, like created_at >= date('2026-05-01') or category_name='profile'. Left out = all.",
  ),
  page_size: described(
    byDefault(integer({ min: 1, max: 'MAX_PAGE_SIZE' }), PAGE_SIZE),
    'The most memories of a page.',
  ),
  cursor: described(
    nullish(listCursor),
    'The `next_cursor` of the page before. Left out = from the beginning.',
  ),
  as_of: asOf,
}) {}

const uid = filledText('MAX_LABEL_CHARS');
const uids = byDefault(nullAsAbsent(listOf(uid, { max: 'MAX_IDS_PER_DELETE' })), []);

export class CorrectMemoryArguments extends request('CorrectMemoryArguments', {
  ...UserArguments.schema.properties,
  semantic_memory_uid: described(
    uid,
    'Id of the fact: `metadata.id` of what search_memory or list_memories showed.',
  ),
  value: described(text('MAX_CONTENT_CHARS'), 'What the fact says from now on.', 'prefers aisle seats'),
}) {}

export class DeleteMemoryArguments extends request('DeleteMemoryArguments', {
  ...UserArguments.schema.properties,
  episodic_memory_uids: described(uids, 'The `uid` of each message that is deleted.'),
  semantic_memory_uids: described(uids, 'The `metadata.id` of each fact that is deleted.'),
}) {}

export class ListConflictsArguments extends request('ListConflictsArguments', {
  ...UserArguments.schema.properties,
  page: described(byDefault(integer({ min: 0, max: 10_000 }), 0), 'The page, from 0.'),
}) {}

export class SettleConflictArguments extends request('SettleConflictArguments', {
  ...UserArguments.schema.properties,
  semantic_memory_uid: described(
    uid,
    'Id of the fact that holds: `metadata.id` of what list_conflicts showed. All that contradict it end.',
  ),
}) {}
