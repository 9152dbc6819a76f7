import { cn } from './cn.js';

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

const ALMOST = 0.9;

/** How much of something is used. */
export function Meter({ label, value, max }: MeterProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={cn('h-full rounded-full', share >= ALMOST ? 'bg-bad' : 'bg-accent-fill')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
