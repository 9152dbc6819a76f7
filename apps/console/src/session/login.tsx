import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { SESSION_KEY } from '../api/query-client.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { Logo } from '../ui/logo.js';
import { openSession, sessionQuery } from './session.js';

/** What is copied from a header has this before the key. */
const SCHEME = /^bearer\s+/i;

/**
 * Asks for a key. It goes to Loci once, and is kept in a cookie that no script reads.
 * @param props.hasEnded there was a session until now
 */
export function Login({ hasEnded }: { readonly hasEnded: boolean }) {
  const [key, setKey] = useState('');
  const client = useQueryClient();
  const opening = useMutation({
    mutationKey: SESSION_KEY,
    mutationFn: openSession,
    onSuccess: (session) => {
      setKey('');
      // what was asked before, perhaps with another key
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
      client.setQueryData(sessionQuery.queryKey, session);
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    opening.mutate(key.trim().replace(SCHEME, ''));
  };
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <title>Sign in · Loci</title>
      <form
        onSubmit={submit}
        className="grid w-full max-w-sm gap-4 rounded-xl border border-line bg-surface p-6 shadow-sm"
      >
        <Logo />
        {hasEnded && (
          <p role="status" className="rounded-md bg-warn-wash px-3 py-2 text-sm text-warn">
            Your session has ended: its key ended or was revoked, or it was signed out elsewhere.
          </p>
        )}
        <div>
          <h1 className="text-lg font-semibold">Sign in with a key</h1>
          <p className="mt-1 text-sm text-muted">
            What the key may do, you may do here. It is exchanged for a session of this browser and not kept
            in the page.
          </p>
        </div>
        <Field
          label="API key"
          hint="After the first start of Loci, the key of the administrator is in .loci/admin-key."
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoFocus
              required
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        <Refused error={opening.error} />
        <Button type="submit" look="primary" isBusy={opening.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
