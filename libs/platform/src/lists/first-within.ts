interface Bounds<T> {
  readonly maxItems?: number;
  /** Of all items together, in the unit of `sizeOf`. */
  readonly maxSize: number;
  readonly sizeOf: (item: T) => number;
}

/** A list of the first items of another, as many as the bounds allow; one at least, however large that is. */
export function firstWithin<T>(list: readonly T[], { maxItems = Infinity, maxSize, sizeOf }: Bounds<T>): T[] {
  let size = 0;
  const end = list.findIndex((item, index) => {
    size += sizeOf(item);
    return index > 0 && (index >= maxItems || size > maxSize);
  });
  return list.slice(0, end === -1 ? list.length : end);
}
