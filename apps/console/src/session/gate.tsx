import { LociError } from '@loci/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Failure, Loading } from '../ui/states.js';
import { Login } from './login.js';
import { SessionContext, sessionQuery } from './session.js';

/** Shows what is behind it to those who have a session, and asks the others for a key. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (error instanceof LociError && error.status === 401) return <Login hasEnded={data !== undefined} />;
  if (data) return <SessionContext value={data}>{children}</SessionContext>;
  if (error) {
    return (
      <main>
        <Failure error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return <Loading />;
}
