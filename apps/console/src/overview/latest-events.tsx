import { type ReactNode } from 'react';
import { Badge } from '../ui/badge.js';
import { Panel } from '../ui/page.js';
import { When } from '../ui/when.js';
import { EVENT_TONES } from './event-types.js';
import { type Happened, useEvents } from './events.js';

/** What happens while one looks, newest first. */
export function LatestEvents() {
  const events = useEvents();
  return (
    <Panel title="Latest events" note="Live">
      {events.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">Nothing has happened since you opened this view.</p>
      ) : (
        <ol
          aria-live="polite"
          aria-relevant="additions"
          className="max-h-72 divide-y divide-line overflow-y-auto"
          tabIndex={0}
        >
          {events.map((event) => (
            <li key={event.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2 text-sm">
              <Badge tone={EVENT_TONES[event.type]}>{event.type}</Badge>
              <span className="min-w-0 flex-1">{said(event)}</span>
              <span className="text-xs text-muted">
                {event.org_id !== undefined && `${event.org_id} / ${event.project_id ?? 'all projects'} · `}
                <When at={event.timestamp} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function said(event: Happened): ReactNode {
  switch (event.type) {
    case 'features.changed': {
      const { added, updated, removed } = event.data.counts;
      return `Features: ${added} added, ${updated} changed, ${removed} removed`;
    }
    case 'proposal.added':
      return `A model asks for a change in ${event.data.category}`;
    case 'dead_letter.added':
      return `${event.data.category}: ${event.data.reason}`;
    case 'deletion.done':
      return `${event.data.deleted.toLocaleString('en')} messages deleted`;
    case 'relearning.done':
      return 'Everything waits to be learned again';
    case 'project.deleted':
      return `Project ${event.data.project_id}`;
    case 'webhook.disabled':
      return `A webhook is disabled: ${event.data.reason}`;
    case 'model.ready':
      return `${event.data.name} answers`;
    case 'model.failed':
      return `${event.data.name}: ${event.data.reason}`;
  }
}
