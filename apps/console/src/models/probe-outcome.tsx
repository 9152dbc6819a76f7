import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { type Wire } from '../api/loci.js';
import { Badge } from '../ui/badge.js';

type Outcome = Pick<Wire['ResourceOutcome'], 'status' | 'error'>;

interface ProbeOutcomeProps {
  readonly isUnderWay: boolean;
  readonly outcome: Outcome | undefined;
}

/** What became of a probe; the error of the provider in full. */
export function ProbeOutcome({ isUnderWay, outcome }: ProbeOutcomeProps) {
  if (!isUnderWay && !outcome) return null;
  const { status, error } = isUnderWay || !outcome ? { status: 'pending', error: null } : outcome;
  return (
    <div role="status" className="grid gap-2 rounded-md border border-line p-3 text-sm">
      <p className="flex items-center gap-2 [&_svg]:size-4">
        {status === 'pending' && <LoaderCircle aria-hidden className="animate-spin text-muted" />}
        {status === 'ready' && <CircleCheck aria-hidden className="text-good" />}
        {status === 'failed' && <CircleAlert aria-hidden className="text-bad" />}
        {SAID[status]}
      </p>
      {error !== null && (
        <pre tabIndex={0} className="max-h-48 overflow-auto font-mono text-xs whitespace-pre-wrap text-bad">
          {error}
        </pre>
      )}
    </div>
  );
}

const SAID: Readonly<Record<string, string>> = {
  pending: 'The model is being tried…',
  ready: 'The model answers: it is ready.',
  failed: 'The model is registered, and does not work:',
};

const TONES = { ready: 'good', pending: 'accent', failed: 'bad' } as const;

/** The state of a model. */
export const Status = ({ status }: Pick<Outcome, 'status'>) => <Badge tone={TONES[status]}>{status}</Badge>;
