import { cn } from './cn.js';

interface BarProps {
  /** `meter`: how much is used of what there is; `progressbar`: how much of a task is done. */
  readonly role: 'meter' | 'progressbar';
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** From here on, what is used is almost used up. */
const ALMOST = 0.9;

/** A part of a whole. */
export function Bar({ role, label, value, max }: BarProps) {
  const part = Math.min(value, max);
  const share = max > 0 ? part / max : 0;
  const isScarce = role === 'meter' && share >= ALMOST;
  return (
    <div
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={part}
      aria-valuetext={`${value.toLocaleString('en')} of ${max.toLocaleString('en')}`}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={cn('h-full rounded-full transition-[width]', isScarce ? 'bg-bad' : 'bg-accent-fill')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
