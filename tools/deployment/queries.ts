import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const DASHBOARDS = 'observability/grafana/dashboards';

export function alerts(): Alert[] {
  const { groups } = parse(readFileSync('observability/alerts.yml', 'utf8')) as {
    groups: { rules: Alert[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

/** Every query of every alert and panel, by where it stands. */
export function queries(): { readonly where: string; readonly expr: string }[] {
  const panels = readdirSync(DASHBOARDS).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(`${DASHBOARDS}/${file}`, 'utf8')) as Dashboard;
    return dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: title, expr })),
    );
  });
  return [...alerts().map(({ alert, expr }) => ({ where: alert, expr })), ...panels];
}

/**
 * The metrics that a query asks for.
 * @throws Error when it is no PromQL
 */
export function metricsIn(expr: string): string[] {
  const metrics = new Set<string>();
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expr}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.add(expr.slice(from, to));
    },
  });
  return [...metrics];
}

/** A histogram is asked for by its series. */
export const baseName = (metric: string): string => metric.replace(/_(bucket|sum|count)$/, '');
