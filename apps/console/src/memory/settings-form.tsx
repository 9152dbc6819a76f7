import { type QueryClient, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Wire } from '../api/loci.js';
import { EVERY_INDEX } from '../projects/project.js';
import { Form } from '../ui/form.js';
import { linkStyle } from '../ui/link-style.js';

type Change = UseMutationResult<Wire['ConfigurationChanged'], Error, void>;

/** A change is in force everywhere within seconds: until then, projects do not say yet that they move. */
const LOOK_AGAIN_MS = [1000, 3000, 6000];

/** Asks again how far moves are, until another embedder is in force everywhere. */
export function lookAtMoves(client: QueryClient): void {
  for (const ms of LOOK_AGAIN_MS) setTimeout(() => void client.invalidateQueries(EVERY_INDEX), ms);
}

/** @param send changes the configuration */
export function useChange(send: () => Promise<Wire['ConfigurationChanged']>): Change {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      lookAtMoves(client);
      return client.invalidateQueries({ queryKey: ['configuration'] });
    },
  });
}

interface SettingsFormProps {
  readonly change: Change;
  /** Fields that say their own problems. */
  readonly besides: readonly string[];
  readonly children: ReactNode;
}

/** Settings that are changed together, and what Loci says to it. */
export const SettingsForm = ({ change, besides, children }: SettingsFormProps) => (
  <Form
    action="Save"
    sending={change}
    besides={besides}
    className="gap-4 p-4"
    done={change.data && <Changed answer={change.data} />}
  >
    {children}
  </Form>
);

const Changed = ({ answer: { message, warnings } }: { readonly answer: Wire['ConfigurationChanged'] }) => (
  <div role="status" className="grid gap-1 text-sm">
    <p className="text-good">{message}</p>
    <HowFarMovesAre />
    {warnings?.map((warning) => (
      <p key={warning} className="text-warn">
        {warning}
      </p>
    ))}
  </div>
);

export const HowFarMovesAre = () => (
  <p>
    Projects that move to another embedder show{' '}
    <Link to="/projects" className={linkStyle()}>
      how far they are
    </Link>
    .
  </p>
);
