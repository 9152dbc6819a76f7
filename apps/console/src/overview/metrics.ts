/** What a process has counted of one kind of request since it began. */
export interface Counted {
  readonly requests: number;
  readonly failures: number;
  /** Requests that took at most so many seconds, ascending. */
  readonly buckets: readonly (readonly [seconds: number, requests: number])[];
}

const LINE = /^http_request_duration_seconds_(bucket|count)\{(.*)\} (\S+)$/gm;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Reads metrics in the text format of Prometheus.
 * @param path of the route, such as `/api/v2/memories`
 */
export function countedOf(text: string, path: string): Counted {
  let [requests, failures] = [0, 0];
  const buckets = new Map<number, number>();
  for (const [, kind, labelled = '', value] of text.matchAll(LINE)) {
    const labels = new Map([...labelled.matchAll(LABEL)].map(([, name = '', said = '']) => [name, said]));
    if (labels.get('path') !== path) continue;
    const count = Number(value);
    if (kind === 'bucket') {
      const seconds = labels.get('le') === '+Inf' ? Infinity : Number(labels.get('le'));
      buckets.set(seconds, (buckets.get(seconds) ?? 0) + count);
    } else {
      requests += count;
      if (Number(labels.get('status')) >= 500) failures += count;
    }
  }
  return { requests, failures, buckets: [...buckets].sort(([one], [other]) => one - other) };
}

/** What came between two readings; a process that began anew counts from nothing. */
export function between(before: Counted | undefined, after: Counted): Counted {
  if (!before || before.requests > after.requests) return { ...after, requests: 0, failures: 0, buckets: [] };
  const former = new Map(before.buckets);
  return {
    requests: after.requests - before.requests,
    failures: after.failures - before.failures,
    buckets: after.buckets.map(([seconds, count]) => [seconds, count - (former.get(seconds) ?? 0)]),
  };
}

/**
 * The time within which so many of the requests were answered, read off between the bounds of the histogram.
 * @param share 0 to 1 @returns seconds; undefined without requests
 */
export function quantile({ buckets }: Counted, share: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const wanted = share * total;
  let [below, counted] = [0, 0];
  for (const [seconds, count] of buckets) {
    if (count >= wanted) {
      if (!Number.isFinite(seconds)) return below;
      return count === counted
        ? seconds
        : below + ((seconds - below) * (wanted - counted)) / (count - counted);
    }
    [below, counted] = [seconds, count];
  }
  return below;
}
