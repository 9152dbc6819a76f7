import { type Statistics } from '@loci/client';
import { Badge } from '../ui/badge.js';
import { Panel } from '../ui/page.js';
import { When } from '../ui/when.js';

type Process = Statistics['processes'][number];

/** What runs, how often, and when each was last heard. */
export function Workers({ processes }: { readonly processes: readonly Process[] }) {
  const names = [...new Set(processes.map(({ service }) => service))];
  const services = names.map((name) => [name, processes.filter(({ service }) => service === name)] as const);
  return (
    <Panel title="Workers and services" note="Live">
      <ul className="divide-y divide-line">
        {services.map(([service, of]) => {
          const running = of.filter(({ state }) => state === 'running').length;
          return (
            <li key={service} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2 text-sm">
              <span className="w-40 font-medium">{service}</span>
              <Badge tone={running > 0 ? 'good' : 'bad'}>{running} running</Badge>
              {running < of.length && <Badge tone="bad">{of.length - running} silent</Badge>}
              <span className="min-w-0 flex-1 truncate text-xs text-muted">
                {of.map(({ host }) => host).join(', ')}
              </span>
              <span className="text-xs text-muted">
                heard <When at={latest(of)} />
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const latest = (processes: readonly Process[]): string =>
  processes.reduce((last, { last_heard_at: at }) => (at > last ? at : last), '');
