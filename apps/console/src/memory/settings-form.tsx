import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent } from 'react';
import { type Wire } from '../api/loci.js';
import { Button } from '../ui/button.js';
import { Refused } from '../ui/states.js';

type Change = UseMutationResult<Wire['ConfigurationChanged'], Error, void>;

/** @param send changes the configuration */
export function useChange(send: () => Promise<Wire['ConfigurationChanged']>): Change {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: ['configuration'] }),
  });
}

interface SettingsFormProps {
  readonly change: Change;
  readonly children: ReactNode;
}

/** Settings that are changed together, and what Loci says to it. */
export function SettingsForm({ change, children }: SettingsFormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4 p-4">
      {children}
      <Refused error={change.error} />
      {change.data && (
        <div role="status" className="grid gap-1 text-sm">
          <p className="text-good">{change.data.message}</p>
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
