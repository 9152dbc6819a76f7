import {
  AppError,
  getResource,
  type MemoryConfigurationUpdate,
  resourceTitle,
  type ResourceKind,
} from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { segmentOf } from './resource.wire.js';

/** What is in force now, but will not do what it is for, and which operation mends it. */
export async function warningsOf(update: MemoryConfigurationUpdate, rpc: RpcClient): Promise<string[]> {
  const { episodic, semantic } = update;
  const named: [ResourceKind, string | undefined][] = [
    ['language_model', semantic?.llmModel],
    ['language_model', episodic?.shortTerm?.llmModel],
    ['embedder', semantic?.embeddingModel],
    ['embedder', episodic?.longTerm?.embedder],
    ['reranker', episodic?.longTerm?.reranker],
  ];
  const models = new Map(
    named.flatMap(([kind, name]) => (name ? [[`${kind} ${name}`, { kind, name }]] : [])),
  );
  const found = await Promise.all([...models.values()].map(({ kind, name }) => failureOf(kind, name, rpc)));
  const size =
    semantic?.vectorDimensions === undefined
      ? []
      : ['vector_dimensions has no effect: vectors have the size that their embedder gives them.'];
  return [...size, ...found.flat()];
}

async function failureOf(kind: ResourceKind, name: string, rpc: RpcClient): Promise<string[]> {
  try {
    const { status, error = 'no reason is known.' } = await rpc.call(getResource, { kind, name });
    if (status !== 'failed') return [];
    const path = `/api/v2/config/resources/${segmentOf(kind)}`;
    return [
      `${resourceTitle(kind, name)} has failed, and cannot be used: ${error} Give it other settings with POST ${path}, or try it again with POST ${path}/${encodeURIComponent(name)}/retry.`,
    ];
  } catch (error) {
    // the change is made: that its warnings are not known makes no failure of it
    if (error instanceof AppError) return [];
    throw error;
  }
}
