/** The errors of an error's chain of causes, outermost first. */
export function* causesOf(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > 8) return;
  yield error;
  yield* causesOf(Reflect.get(error, 'cause'), depth + 1);
  const parts: unknown = Reflect.get(error, 'errors');
  if (Array.isArray(parts)) for (const part of parts) yield* causesOf(part, depth + 1);
}

/** A property of the error if it is a text. */
export function textOf(error: object, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : undefined;
}
