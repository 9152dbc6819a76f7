import { byDefault, filledText, integer, listOf, nullAsAbsent, nullish, text } from '@loci/platform/schema';
import { contextQuery } from '../context/context.wire.js';
import { identifier } from '../wire/schema/identifier.js';
import { request } from '../wire/schema/request.js';

/** The ids of a tool call; headers of the client go before them. */
class ProjectArguments extends request('ProjectArguments', {
  org_id: nullish(identifier),
  proj_id: nullish(identifier),
}) {}

class UserArguments extends request('UserArguments', {
  ...ProjectArguments.schema.properties,
  user_id: nullish(identifier),
}) {}

export class AddMemoryArguments extends request('AddMemoryArguments', {
  ...UserArguments.schema.properties,
  content: text('MAX_CONTENT_CHARS'),
}) {}

export class SearchMemoryArguments extends request('SearchMemoryArguments', {
  ...UserArguments.schema.properties,
  query: text('MAX_QUERY_CHARS'),
  top_k: byDefault(integer({ min: 1, max: 'MAX_TOP_K' }), 20),
}) {}

export class GetContextArguments extends request('GetContextArguments', {
  ...UserArguments.schema.properties,
  ...contextQuery,
}) {}

const uids = listOf(filledText('MAX_LABEL_CHARS'), { max: 'MAX_IDS_PER_DELETE' });

export class DeleteMemoryArguments extends request('DeleteMemoryArguments', {
  ...ProjectArguments.schema.properties,
  episodic_memory_uids: byDefault(nullAsAbsent(uids), []),
  semantic_memory_uids: byDefault(nullAsAbsent(uids), []),
}) {}
