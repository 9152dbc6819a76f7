/** The bounds of one request that a deployment may set: the environment variables of the same names. */
export interface WireLimits {
  readonly MAX_MESSAGES_PER_ADD: number;
  readonly MAX_IDS_PER_DELETE: number;
  readonly MAX_CONTENT_CHARS: number;
  readonly MAX_QUERY_CHARS: number;
  readonly MAX_FILTER_CHARS: number;
  readonly MAX_FILTER_DEPTH: number;
  readonly MAX_FILTER_TERMS: number;
  readonly MAX_LABEL_CHARS: number;
  readonly MAX_DESCRIPTION_CHARS: number;
  readonly MAX_METADATA_KEYS: number;
  readonly MAX_METADATA_VALUE_CHARS: number;
  readonly MAX_TOP_K: number;
  readonly MAX_PAGE_SIZE: number;
}
