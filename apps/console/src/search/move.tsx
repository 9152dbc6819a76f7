import { ArrowDown, ArrowUp, Sparkle } from 'lucide-react';
import { Badge } from '../ui/badge.js';

interface MoveProps {
  /** Its position with the other settings, from 0; negative where it is not among what they find. */
  readonly from: number;
  readonly to: number;
}

/** How a hit stands compared with the other settings. */
export function Move({ from, to }: MoveProps) {
  if (from < 0) {
    return (
      <Badge tone="accent">
        <Sparkle aria-hidden /> only here
      </Badge>
    );
  }
  if (from === to) return null;
  return (
    <Badge tone={from > to ? 'good' : 'warn'}>
      {from > to ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />}
      {from > to ? 'up' : 'down'} {Math.abs(from - to)}
    </Badge>
  );
}
