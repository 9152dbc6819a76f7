import { type Statistics } from '@loci/client';

type Figures = Statistics['total'];

const ms = (value: number | null): string =>
  value === null
    ? '…'
    : value < 1000
      ? `${Number(value.toPrecision(2))} ms`
      : `${(value / 1000).toFixed(1)} s`;

const NOTHING = 'nothing in the last hour';

/** How long it took, as far as there was anything. */
export const timesInWords = ({
  p50_ms,
  p99_ms,
}: {
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}): string => (p50_ms === null ? NOTHING : `p50 ${ms(p50_ms)} · p99 ${ms(p99_ms)}`);

/** @param what was counted, of which so many failed */
const failed = (failures: number, what: string): string =>
  failures === 0 ? '' : ` · ${failures.toLocaleString('en')} of ${what} failed`;

/** How long requests took, as far as any was granted, and how many of them failed. */
export function requestsInWords({
  requests,
  failures,
  ...took
}: Figures['adds'] | Figures['searches']): string {
  if (requests === 0) return NOTHING;
  const granted = took.p50_ms === null ? 'none was granted' : timesInWords(took);
  return granted + failed(failures, `${requests.toLocaleString('en')} requests`);
}

/** How often models were called, and how many of the calls failed. */
export const callsInWords = ({ calls, failures }: Figures['models']): string =>
  `${calls.toLocaleString('en')} calls of models in the last hour${failed(failures, 'these calls')}`;
