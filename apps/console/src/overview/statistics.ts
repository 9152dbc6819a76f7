import { type Statistics } from '@loci/client';
import { useEffect, useState } from 'react';
import { loci } from '../api/loci.js';
import { reopened } from '../api/reopened.js';
import { useIsSeen } from './events.js';

interface Followed {
  readonly statistics: Statistics | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** The statistics of the deployment, live. A page in the background does not listen. */
export function useStatistics(): Followed {
  const isSeen = useIsSeen();
  const [attempt, setAttempt] = useState(0);
  const [statistics, setStatistics] = useState<Statistics>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!isSeen) return undefined;
    const left = new AbortController();
    const { signal } = left;
    const listen = async (): Promise<void> => {
      const open = () => loci.followStatistics({ signal });
      for await (const now of reopened(open, { signal, onFailure: setError })) {
        setStatistics(now);
        setError(undefined);
      }
    };
    listen().catch((failure: unknown) => {
      if (!signal.aborted) setError(failure);
    });
    return () => left.abort();
  }, [isSeen, attempt]);
  const retry = (): void => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return { statistics, error, retry };
}
