import { LociError } from '@loci/client';
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { askAgain } from './ask-again.js';
import { isOffline, isPassing } from './failures.js';

export const SESSION_KEY = ['session'];

/** What was asked, remembered. A session that ends anywhere ends everywhere; what had no answer is asked again. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      noteEnd(error, query.queryKey);
      if (isOffline(error)) keepKnown(query);
      askAgain(error, query);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { options }) => {
      noteEnd(error, options.mutationKey);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => isPassing(error) && failures < 1,
    },
  },
});

/**
 * What was known before stays in sight while Loci is not reached, and the page says that it is old; not what tells how it
 * is now (`isOfNow`). A view that says the failure beside what it shows keeps both (`isSaidBeside`).
 */
function keepKnown(query: Pick<Query<unknown, unknown>, 'state' | 'meta' | 'setState'>): void {
  const { data } = query.state;
  if (data === undefined || query.meta?.['isOfNow'] === true || query.meta?.['isSaidBeside'] === true) return;
  query.setState({ status: 'success', error: null });
}

function noteEnd(error: unknown, key: readonly unknown[] = []): void {
  // asked for a session, it is the answer
  if (key[0] === SESSION_KEY[0]) return;
  // forbidden: another tab may have signed in with another key
  if (error instanceof LociError && (error.status === 401 || error.status === 403)) {
    void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
  }
}
