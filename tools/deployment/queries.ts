import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const DASHBOARDS = 'observability/grafana/dashboards';

/** Of every set-up, and of a cluster. */
export const ALERT_FILES = ['observability/alerts.yml', 'observability/cluster-alerts.yml'];

export function alerts(): Alert[] {
  return ALERT_FILES.flatMap((file) => {
    const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Alert[] }[] };
    return groups.flatMap(({ rules }) => rules);
  });
}

/** A query, by where it stands. */
export interface Query {
  readonly where: string;
  readonly expr: string;
}

/** Metrics by name, with their labels. */
export type Metrics = ReadonlyMap<string, readonly string[]>;

/** Of servers and of Kubernetes, with the labels that alerts choose by; their own documentation lists them. */
export const OF_OTHERS: Metrics = new Map([
  ['up', []],
  ['kubelet_volume_stats_available_bytes', ['namespace']],
  ['kubelet_volume_stats_capacity_bytes', ['namespace']],
  ['kube_cronjob_created', ['namespace', 'cronjob']],
  ['kube_cronjob_status_last_successful_time', ['namespace', 'cronjob']],
  ['kube_statefulset_replicas', ['namespace']],
  ['kube_statefulset_status_replicas_ready', ['namespace']],
  ['cnpg_collector_up', []],
  ['cnpg_collector_pg_wal_archive_status', ['value']],
  ['cnpg_pg_replication_lag', []],
  ['cnpg_pg_replication_streaming_replicas', []],
  ['cnpg_pgbouncer_pools_maxwait', []],
  ['cnpg_pg_stat_archiver_seconds_since_last_archival', []],
  ['barman_cloud_cloudnative_pg_io_last_available_backup_timestamp', []],
  ['cluster_peers_total', []],
  ['collection_dead_replicas', []],
]);

/** Every query of every alert and panel. */
export function queries(): Query[] {
  const panels = readdirSync(DASHBOARDS).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(`${DASHBOARDS}/${file}`, 'utf8')) as Dashboard;
    return dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ where: title, expr })),
    );
  });
  return [...alerts().map(({ alert, expr }) => ({ where: alert, expr })), ...panels];
}

/** A metric that a query asks for, and the labels by which it chooses or groups. */
export interface AskedMetric {
  readonly metric: string;
  readonly labels: readonly string[];
}

/**
 * Every metric of a query.
 * @throws Error when it is no PromQL
 */
export function askedIn(expr: string): AskedMetric[] {
  const asked: AskedMetric[] = [];
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expr}`);
      if (type.name !== 'Identifier' || node.parent?.name !== 'VectorSelector') return;
      const labels = [...namesIn(node.parent, 'LabelMatchers'), ...groupsAround(node)];
      asked.push({
        metric: expr.slice(from, to),
        labels: labels.map((label) => expr.slice(label.from, label.to)),
      });
    },
  });
  return asked;
}

/** The labels of all aggregations that a metric goes through. */
function groupsAround(node: SyntaxNode): SyntaxNode[] {
  const { parent } = node;
  if (!parent) return [];
  const modifier = parent.name === 'AggregateExpr' ? parent.getChild('AggregateModifier') : undefined;
  return [...(modifier ? namesIn(modifier, 'GroupingLabels') : []), ...groupsAround(parent)];
}

const namesIn = (node: SyntaxNode, list: string): SyntaxNode[] =>
  (node.getChild(list)?.getChildren('UnquotedLabelMatcher') ?? [])
    .map((matcher) => matcher.getChild('LabelName'))
    .filter((name) => name !== null)
    .concat(node.getChild(list)?.getChildren('LabelName') ?? []);

/**
 * The names of the metrics that a query asks for.
 * @throws Error when it is no PromQL
 */
export const metricsIn = (expr: string): string[] => [...new Set(askedIn(expr).map(({ metric }) => metric))];

/** A histogram is asked for by its series. */
export const baseName = (metric: string): string => metric.replace(/_(bucket|sum|count)$/, '');
