import { type MatchCondition } from '@langchain/langgraph-checkpoint';

/** Whether a namespace begins or ends as the condition says, where `*` is any part. */
export function fits(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((part, level) => part === '*' || part === namespace[start + level]);
}

export const shortened = (namespace: string[], maxDepth: number | undefined): string[] =>
  maxDepth === undefined ? namespace : namespace.slice(0, maxDepth);
