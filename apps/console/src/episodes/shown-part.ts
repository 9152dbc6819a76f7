/**
 * Browsers draw nothing that is taller than some 17 to 33 million pixels, and silently leave out what is below: of more
 * messages than these one part is scrolled at a time.
 */
export const PART_SIZE = 100_000;

/** The last part may be longer than the others by so much, so that it can grow, and is never a few rows. */
const MOST_ROWS = 1.5 * PART_SIZE;

/** A stretch of a list: the positions from `begin` to before `end`. */
export interface Part {
  readonly begin: number;
  readonly end: number;
}

/** @param begin not above `total` */
export const partFrom = (begin: number, total: number): Part => ({
  begin,
  end: total - begin <= MOST_ROWS ? total : begin + PART_SIZE,
});

/**
 * Where the part begins that shows a position, with as much before it as behind it.
 * @param position absent = the last one
 */
export function beginAround(total: number, position = total): number {
  if (total <= MOST_ROWS) return 0;
  return between(0, Math.round(position - PART_SIZE / 2), total - PART_SIZE);
}

/** Where the part before another one begins. */
export const beginBefore = ({ begin }: Part): number => Math.max(0, begin - PART_SIZE);

/** Where the part behind another one begins. */
export const beginBehind = ({ end }: Part, total: number): number => Math.min(end, total - PART_SIZE);

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));
