import { isJsonObject } from '@loci/platform/schema';

export interface RerankScore {
  /** Position of the candidate in the request. */
  readonly index: number | undefined;
  readonly score: number | undefined;
}

/** One provider's way to score candidates; errors of its SDK come out as they are. */
export interface RerankClient {
  /** Most candidates in one request; absent: all of them. */
  readonly batchSize?: number;
  /** Most characters of one candidate; what is longer is cut off. Absent: the provider does that. */
  readonly maxInputLength?: number;
  rerank(query: string, candidates: readonly string[], signal: AbortSignal): Promise<readonly RerankScore[]>;
  close(): Promise<void>;
}

/** The scores in a list of a reply. @param key where an entry has its score */
export function scoresIn(list: unknown, key: string): RerankScore[] {
  if (!Array.isArray(list)) return [];
  return list
    .filter(isJsonObject)
    .map((entry) => ({ index: asNumber(entry['index']), score: asNumber(entry[key]) }));
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
