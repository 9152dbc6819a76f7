import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isOffline } from '../api/failures.js';
import { healthQuery } from '../api/health.js';

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

/** Says that what is shown is what was known before, while Loci is not reached. */
export function Offline() {
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [isUnreached, setUnreached] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'error') setUnreached(isOffline(action.error));
        // what the page itself noted is no answer
        else if (action.type === 'success' && action.manual !== true) setUnreached(false);
      }),
    [client],
  );
  // what failed may be out of sight by now, and is not asked again then
  useQuery({ ...healthQuery, enabled: isUnreached });
  if (isOnline && !isUnreached) return null;
  return (
    <p
      role="alert"
      className="sticky top-0 z-30 flex items-center gap-2 bg-warn-wash px-4 py-2 text-sm text-warn"
    >
      <CloudOff aria-hidden className="size-4" />
      Loci is not reached. What you see is what was known before. It is asked again every few seconds.
    </p>
  );
}
