import { isTooLarge } from '@loci/contracts';

/**
 * Does some work on a list, or on its halves one after the other where all of it is too large at once.
 * @param work throws `body_too_large` before it has changed anything
 */
export async function inHalves<Item>(
  list: readonly Item[],
  work: (some: readonly Item[]) => Promise<void>,
): Promise<void> {
  try {
    await work(list);
    return;
  } catch (error) {
    if (list.length < 2 || !isTooLarge(error)) throw error;
  }
  const half = Math.ceil(list.length / 2);
  await inHalves(list.slice(0, half), work);
  await inHalves(list.slice(half), work);
}
