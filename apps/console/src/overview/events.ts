import { type LociEvent } from '@loci/client';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { loci } from '../api/loci.js';
import { reopened } from '../api/reopened.js';
import { resourcesQuery } from '../models/resources.js';
import { keyOf } from '../projects/project.js';

/** Something that happened, as the API tells it. */
export type Happened = Exclude<LociEvent, { readonly type: 'stream.reset' }>;

const KEPT = 20;

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Whether the page is looked at: one in the background does not listen, since a browser has few connections to a host. */
export const useIsSeen = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');

/**
 * What happens within the bounds of the caller, newest first; what it changes is asked for again. A page that
 * was in the background hears what it missed when it is looked at again.
 */
export function useEvents(): readonly Happened[] {
  const client = useQueryClient();
  const isSeen = useIsSeen();
  const position = useRef<string>(undefined);
  const [events, setEvents] = useState<readonly Happened[]>([]);
  useEffect(() => {
    if (!isSeen) return undefined;
    const left = new AbortController();
    const { signal } = left;
    const listen = async (): Promise<void> => {
      const open = () =>
        loci.events({ signal, ...(position.current !== undefined && { after: position.current }) });
      for await (const event of reopened(open, { signal })) {
        position.current = event.position;
        if (event.type === 'stream.reset') continue;
        setEvents((known) => [event, ...known.filter(({ id }) => id !== event.id)].slice(0, KEPT));
        renew(client, event);
      }
    };
    // without the stream the page still asks now and then; that Loci is not reached is said elsewhere
    listen().catch(() => undefined);
    return () => left.abort();
  }, [client, isSeen]);
  return events;
}

function renew(client: QueryClient, event: Happened): void {
  if (event.type === 'model.ready' || event.type === 'model.failed') {
    void client.invalidateQueries(resourcesQuery);
    return;
  }
  const { org_id: org, project_id: project } = event;
  if (org === undefined || project === undefined) return;
  for (const what of ['count', 'jobs']) {
    // an answer that is under way is as good
    const queryKey = keyOf({ org, project }, what);
    void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }
}
