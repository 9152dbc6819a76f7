import { readFileSync } from 'node:fs';

const DOCUMENTED = /^\| `(?<name>[a-z0-9_]+)`\s*\| \w+\s*\|(?<labels>[^|]*)\|/gm;

/** The metrics that processes of ours serve, with the labels of each beside `service`: docs/metrics.md is generated. */
export function documentedMetrics(): ReadonlyMap<string, readonly string[]> {
  const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(DOCUMENTED);
  return new Map(
    [...rows].map(({ groups = {} }) => [
      groups['name'] ?? '',
      [...(groups['labels'] ?? '').matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    ]),
  );
}
