import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documentedMetrics } from './deployment/metrics.js';

/** What a document of ours may name. */
export interface Nameable {
  readonly scripts: ReadonlySet<string>;
  /** Requests of the gateway, with method and path. */
  readonly routes: readonly RegExp[];
  readonly metrics: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** What there is, from the files that say so. */
export function nameable(): Nameable {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
  const settings = [
    '.env.example',
    'apps/standalone/src/usage.ts',
    'docker-compose.yml',
    'k8s/components/backup-files/cronjob.yaml',
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join();
  return {
    scripts: new Set(Object.keys(scripts)),
    routes: Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`, 'i'),
      ),
    ),
    metrics: new Set(documentedMetrics().keys()),
    variables: new Set([
      ...[...settings.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name),
      // Node's own
      'NODE_PATH',
      'NODE_EXTRA_CA_CERTS',
    ]),
  };
}

/** What a document names that is not there, in sentences. */
export function staleNames(text: string, known: Nameable): string[] {
  const named = (pattern: RegExp): string[] => [
    ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
  ];
  return [
    ...named(/npm run (?:-s )?([\w:-]+)/g)
      .filter((name) => !known.scripts.has(name))
      .map((name) => `${name} is no script of package.json`),
    ...named(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^\s`?]+)/g)
      .filter((request) => !known.routes.some((route) => route.test(request)))
      .map((request) => `${request} is no request`),
    // these are roles of the database
    ...named(
      /`((?!loci_(?:migrate|config|episodic|semantic)`)(?:loci|outbox|consumer|model|rpc|http)_[a-z_]+)`/g,
    )
      .filter((name) => !known.metrics.has(name))
      .map((name) => `${name} is no metric`),
    ...named(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)
      .filter((name) => !known.variables.has(name))
      .map((name) => `${name} is no setting`),
  ];
}

/** Links of a document that lead nowhere. @param path of the document, from the root */
export function brokenLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !leadsSomewhere(path, text, link));
}

/** Rows of the table below a heading that name no test of ours which is there. @param path of the document, from the root */
export function untestedRows(path: string, text: string, heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const [, , ...rows] = body.split('\n').filter((line) => line.startsWith('|'));
  return rows.filter((row) => {
    const named = [...row.matchAll(/\]\(([^)\s]+\.spec\.ts)\)/g)].map(([, link = '']) => link);
    return named.length === 0 || !named.every((link) => existsSync(join(dirname(path), link)));
  });
}

function leadsSomewhere(path: string, text: string, link: string): boolean {
  const [file = '', anchor] = link.split('#', 2);
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsIn(file === '' ? text : readFileSync(target, 'utf8')).has(anchor);
}

/** As GitHub makes them. */
const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
