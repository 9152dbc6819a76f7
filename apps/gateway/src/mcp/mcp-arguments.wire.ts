import { listOf } from '../wire/reading/collections.js';
import { integer } from '../wire/reading/scalars.js';
import { Wire } from '../wire/reading/shapes.js';
import { filledText, identifier, text } from '../wire/reading/text.js';

/** The ids of a tool call; headers of the client go before them. */
class ProjectArguments {
  @Wire(identifier, { optional: true, nullable: true })
  readonly org_id?: string | undefined;

  @Wire(identifier, { optional: true, nullable: true })
  readonly proj_id?: string | undefined;
}

class UserArguments extends ProjectArguments {
  @Wire(identifier, { optional: true, nullable: true })
  readonly user_id?: string | undefined;
}

export class AddMemoryArguments extends UserArguments {
  @Wire(text('MAX_CONTENT_CHARS'))
  readonly content!: string;
}

export class SearchMemoryArguments extends UserArguments {
  @Wire(text('MAX_QUERY_CHARS'))
  readonly query!: string;

  @Wire(integer({ min: 1, max: 'MAX_TOP_K' }), { default: 20 })
  readonly top_k!: number;
}

const uids = listOf(filledText('MAX_LABEL_CHARS'), { max: 'MAX_IDS_PER_DELETE' });

export class DeleteMemoryArguments extends ProjectArguments {
  @Wire(uids, { default: [], nullable: true })
  readonly episodic_memory_uids!: readonly string[];

  @Wire(uids, { default: [], nullable: true })
  readonly semantic_memory_uids!: readonly string[];
}
