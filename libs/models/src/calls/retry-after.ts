/** Headers in either form: `Headers`, or the plain object of an SDK. */
export type HeaderSource = { get(name: string): string | null } | Readonly<Record<string, string>>;

export const isHeaderSource = (value: unknown): value is HeaderSource =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';

/** Milliseconds that `retry-after-ms` or `retry-after` (seconds or an HTTP date) ask for; undefined if neither does. */
export function retryAfterMs(headers: HeaderSource | undefined, nowMs = Date.now()): number | undefined {
  if (!headers) return undefined;
  const milliseconds = numberIn(headerOf(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headerOf(headers, 'retry-after');
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - nowMs, 0);
}

function headerOf(headers: HeaderSource, name: string): string {
  const value: unknown =
    typeof headers['get'] === 'function' ? headers.get(name) : Reflect.get(headers, name);
  return typeof value === 'string' ? value.trim() : '';
}

function numberIn(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}
