interface Bounds<T> {
  readonly maxSize: number;
  readonly sizeOf: (item: T) => number;
}

/** The list in its sequence, in parts that are no larger together; an item that is larger by itself is a part. */
export function partsWithin<T>(list: readonly T[], { maxSize, sizeOf }: Bounds<T>): T[][] {
  const parts: T[][] = [];
  let size = Infinity;
  for (const item of list) {
    size += sizeOf(item);
    const part = parts.at(-1);
    if (part && size <= maxSize) part.push(item);
    else {
      parts.push([item]);
      size = sizeOf(item);
    }
  }
  return parts;
}
