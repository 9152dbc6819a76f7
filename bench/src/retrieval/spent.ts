import { type Product } from './product.js';

/** What some work cost. */
export interface Spent {
  readonly tookMs: number;
  /** Of all processes of the product; undefined when it is not ours. */
  readonly processorMs: number | undefined;
}

/** Does the work and says what it cost. */
export async function spentOn<Value>(
  { processorMs }: Product,
  work: () => Promise<Value>,
): Promise<{ value: Value; spent: Spent }> {
  const [begunMs, processorBeforeMs] = [performance.now(), await processorMs()];
  const value = await work();
  const tookMs = performance.now() - begunMs;
  const processorAfterMs = await processorMs();
  const isKnown = processorBeforeMs !== undefined && processorAfterMs !== undefined;
  return {
    value,
    spent: { tookMs, processorMs: isKnown ? processorAfterMs - processorBeforeMs : undefined },
  };
}
