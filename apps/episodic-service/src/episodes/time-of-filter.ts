import { type Filter, type Instant } from '@loci/contracts';

/** From and until which moment, both included; absent: without a bound. */
export interface TimeRange {
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
}

/**
 * When everything that matches was said, as far as the conditions that all of it has to meet tell. What does not match
 * can have been said then, too: it bounds what is read, and does not replace the filter.
 */
export function timeOf(filter: Filter | undefined): TimeRange {
  if (filter?.op === 'and') return filter.args.map(timeOf).reduce(narrower, {});
  if (filter?.op !== 'compare' || filter.value.type !== 'instant') return {};
  const { field, comparison, value } = filter;
  if (field.kind !== 'system' || field.name !== 'created_at' || comparison === '!=') return {};
  return {
    ...(!comparison.startsWith('<') && { from: value.value }),
    ...(!comparison.startsWith('>') && { until: value.value }),
  };
}

const narrower = (one: TimeRange, other: TimeRange): TimeRange => ({
  from: extreme(one.from, other.from, (a, b) => a > b),
  until: extreme(one.until, other.until, (a, b) => a < b),
});

function extreme(
  one: Instant | undefined,
  other: Instant | undefined,
  isCloser: (a: Instant, b: Instant) => boolean,
): Instant | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isCloser(one, other) ? one : other;
}
