import { DEPLOYED } from './processes.js';
import {
  type Alert,
  askedIn,
  type AskedMetric,
  baseName,
  type Metrics,
  OF_OTHERS,
  type Query,
} from './queries.js';

/** Of the Node process. */
const isOfNode = (metric: string): boolean => /^(process|nodejs)_/.test(metric);

/** What everything has that Prometheus reads from a process of ours, and the buckets of a histogram. */
const EVERYWHERE = ['service', 'job', 'instance', 'le'];

/** What a query asks for that nothing serves, in sentences. */
export const queryProblems = ({ where, expr }: Query, metrics: Metrics): string[] =>
  problemsOfParts(expr, metrics).map((problem) => `${where}: ${problem}`);

function problemsOfParts(expr: string, metrics: Metrics): string[] {
  try {
    const asked = askedIn(expr);
    return asked.length === 0 ? ['asks for nothing'] : asked.flatMap((one) => unserved(one, metrics));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function unserved({ metric, labels }: AskedMetric, metrics: Metrics): string[] {
  const known = isOfNode(metric) ? [] : (OF_OTHERS.get(metric) ?? metrics.get(baseName(metric)));
  if (!known) return [`asks for ${metric}, which no process serves`];
  return labels
    .filter((label) => !known.includes(label) && !EVERYWHERE.includes(label))
    .map((label) => `asks ${metric} for its label ${label}, which it does not have`);
}

/** What an alert does not tell whom it wakes, in sentences. */
export function alertProblems({ alert, expr, annotations }: Alert, guide: string): string[] {
  const { summary, runbook } = annotations;
  const labels = askedIn(expr).flatMap((one) => one.labels);
  const lost = [...summary.matchAll(/\$labels\.(\w+)/g)]
    .map(([, label = '']) => label)
    .filter((label) => /\b(sum|max|min|avg|count)\b/.test(expr) && !labels.includes(label));
  return [
    ...(/\S\.$/.test(summary) ? [] : ['does not say in a sentence what is the matter']),
    ...lost.map((label) => `names the label ${label}, which is summed up`),
    ...(runbook === `docs/operations.md#${alert.toLowerCase()}` ? [] : [`leads to ${runbook}`]),
    ...(guide.includes(`\n### ${alert}\n`) ? [] : ['is not in the guide']),
  ].map((problem) => `${alert}: ${problem}`);
}

/** A guide to an alert that does not exist any more, in sentences. */
export const staleRunbooks = (alerts: readonly Alert[], guide: string): string[] =>
  [...guide.matchAll(/^### (Loci[A-Z]\w+)$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !alerts.some(({ alert }) => alert === name))
    .map((name) => `${name}: the guide tells of it, and it is no alert`);

export interface ScrapeSettings {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
  }[];
}

/** Services that the Prometheus of compose does not look for, or where they do not listen, in sentences. */
export function scrapeProblems({ scrape_configs }: ScrapeSettings): string[] {
  const found = scrape_configs.flatMap(({ job_name, dns_sd_configs }) =>
    dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${job_name} ${name}:${port}`)),
  );
  const wanted = DEPLOYED.filter(({ kind }) => kind !== 'migration').map(
    ({ name, kind }) => `loci ${name}:${kind === 'clients' ? 8080 : 9090}`,
  );
  return [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `${one} is not watched`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `${one} is not there`),
  ];
}
