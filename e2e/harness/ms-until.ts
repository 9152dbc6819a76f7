import { eventually } from '@loci/testing';

/**
 * How long something is not so yet: until the last look began that found it not so. On a busy machine each look takes
 * long, which is no fault of what is looked at.
 */
export async function msUntil(isSo: () => Promise<boolean>, what: string): Promise<number> {
  const begunAt = performance.now();
  let lastLookAt = begunAt;
  await eventually(
    async () => {
      const lookedAt = performance.now();
      if (await isSo()) return true;
      lastLookAt = lookedAt;
      return false;
    },
    { what },
  );
  return lastLookAt - begunAt;
}
