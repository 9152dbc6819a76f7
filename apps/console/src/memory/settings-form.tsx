import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent } from 'react';
import { type Wire } from '../api/loci.js';
import { EVERY_INDEX } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { linkStyle } from '../ui/link-style.js';
import { Refused } from '../ui/states.js';

type Change = UseMutationResult<Wire['ConfigurationChanged'], Error, void>;

/** A change is in force everywhere within seconds: until then, projects do not say yet that they move. */
const LOOK_AGAIN_MS = [1000, 3000, 6000];

/** @param send changes the configuration */
export function useChange(send: () => Promise<Wire['ConfigurationChanged']>): Change {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      for (const ms of LOOK_AGAIN_MS) setTimeout(() => void client.invalidateQueries(EVERY_INDEX), ms);
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
export function SettingsForm({ change, besides, children }: SettingsFormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4 p-4">
      {children}
      <Refused error={change.error} besides={besides} />
      {change.data && (
        <div role="status" className="grid gap-1 text-sm">
          <p className="text-good">{change.data.message}</p>
          <p>
            Projects that move to another embedder show{' '}
            <Link to="/projects" className={linkStyle()}>
              how far they are
            </Link>
            .
          </p>
          {change.data.warnings?.map((warning) => (
            <p key={warning} className="text-warn">
              {warning}
            </p>
          ))}
        </div>
      )}
      <Button type="submit" look="primary" className="justify-self-end" isBusy={change.isPending}>
        Save
      </Button>
    </form>
  );
}
