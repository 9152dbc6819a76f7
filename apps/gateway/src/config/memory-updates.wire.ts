import { STORAGE_BACKENDS } from '@loci/contracts';
import { mapOf } from '../wire/reading/collections.js';
import { boolean, integer, oneOf } from '../wire/reading/scalars.js';
import { objectOf, Wire } from '../wire/reading/shapes.js';
import { text } from '../wire/reading/text.js';

const BACKENDS = ['declarative', 'event'] as const;
const PROPERTY_TYPES = ['bool', 'int', 'float', 'str', 'datetime'] as const;

/** What the columns behind such numbers hold. */
const MAX_INTEGER = 2_147_483_647;

const name = text('MAX_LABEL_CHARS');
const positive = integer({ above: 0, max: MAX_INTEGER });

/** Omitted and null mean unchanged, in every field of an update. */
const UNCHANGED = { optional: true, nullable: true } as const;

export class LongTermPart {
  @Wire(oneOf(BACKENDS), UNCHANGED)
  readonly backend?: (typeof BACKENDS)[number] | undefined;

  @Wire(name, UNCHANGED)
  readonly embedder?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly reranker?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly vector_graph_store?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly vector_store?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly segment_store?: string | undefined;

  @Wire(mapOf(oneOf(PROPERTY_TYPES), { maxKeys: 'MAX_METADATA_KEYS', maxKeyChars: 128 }), UNCHANGED)
  readonly properties_schema?: Readonly<Record<string, string>> | undefined;
}

export class LongTermBody extends LongTermPart {
  @Wire(boolean, UNCHANGED)
  readonly enabled?: boolean | undefined;
}

export class ShortTermPart {
  @Wire(name, UNCHANGED)
  readonly llm_model?: string | undefined;

  @Wire(positive, UNCHANGED)
  readonly message_capacity?: number | undefined;
}

export class ShortTermBody extends ShortTermPart {
  @Wire(boolean, UNCHANGED)
  readonly enabled?: boolean | undefined;
}

export class EpisodicBody {
  @Wire(objectOf(LongTermPart), UNCHANGED)
  readonly long_term_memory?: LongTermPart | undefined;

  @Wire(objectOf(ShortTermPart), UNCHANGED)
  readonly short_term_memory?: ShortTermPart | undefined;

  @Wire(boolean, UNCHANGED)
  readonly long_term_memory_enabled?: boolean | undefined;

  @Wire(boolean, UNCHANGED)
  readonly short_term_memory_enabled?: boolean | undefined;

  @Wire(boolean, UNCHANGED)
  readonly enabled?: boolean | undefined;
}

export class SemanticBody {
  @Wire(boolean, UNCHANGED)
  readonly enabled?: boolean | undefined;

  @Wire(name, UNCHANGED)
  readonly database?: string | undefined;

  @Wire(oneOf(STORAGE_BACKENDS), UNCHANGED)
  readonly storage_backend?: (typeof STORAGE_BACKENDS)[number] | undefined;

  @Wire(name, UNCHANGED)
  readonly feature_store?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly vector_collection?: string | undefined;

  @Wire(positive, UNCHANGED)
  readonly vector_dimensions?: number | undefined;

  @Wire(name, UNCHANGED)
  readonly llm_model?: string | undefined;

  @Wire(name, UNCHANGED)
  readonly embedding_model?: string | undefined;

  @Wire(positive, UNCHANGED)
  readonly ingestion_trigger_messages?: number | undefined;

  @Wire(positive, UNCHANGED)
  readonly ingestion_trigger_age_seconds?: number | undefined;
}

export class MemoryBody {
  @Wire(objectOf(EpisodicBody), UNCHANGED)
  readonly episodic_memory?: EpisodicBody | undefined;

  @Wire(objectOf(SemanticBody), UNCHANGED)
  readonly semantic_memory?: SemanticBody | undefined;
}
