/** So long what others want waits for what one embedder, or its index, has to do. */
export const OTHERS_WAIT_MS = 500;

/** It took longer; the work goes on. */
export const LATE = Symbol('late');

/** What the work gives, or `LATE` when others should not wait for it any longer. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), OTHERS_WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
