import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What imports what: types, and imports while running, count as well. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT = /^(?:import|export)\b[^;]*?from '(\.[^']+)';|\bimport\('(\.[^']+)'\)/gm;

/** @returns the imports between the files below a folder, by their paths in it; specs are left out */
export function importsBelow(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.spec)\.tsx?$/.test(name),
  );
  const known = new Set(files);
  return new Map(files.map((file) => [file, importsOf(folder, file, known)]));
}

function importsOf(folder: string, file: string, known: ReadonlySet<string>): string[] {
  const path = join(folder, file);
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, whole, dynamic]) => {
    const imported = relative(
      folder,
      resolve(dirname(path), (whole ?? dynamic ?? '').replace(/\.js$/, '.ts')),
    );
    return known.has(`${imported}x`) ? `${imported}x` : imported;
  });
}

/**
 * @returns the imports between folders. Files at the top put the others together, and belong to none; a folder and those
 * inside it are one.
 */
export function betweenFolders(files: Imports): Imports {
  const folders = new Map<string, string[]>();
  for (const [file, imported] of files) {
    const from = dirname(file);
    const to = imported.map((path) => dirname(path)).filter((path) => path !== '.' && !isWithin(path, from));
    if (from !== '.') folders.set(from, [...(folders.get(from) ?? []), ...to]);
  }
  return folders;
}

const isWithin = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** @returns what imports itself by way of others: each circle sorted, the circles as well */
export function circlesIn(imports: Imports): string[][] {
  const reachable = new Map([...imports.keys()].map((name) => [name, reachableFrom(name, imports)]));
  const circles = new Map<string, string[]>();
  for (const [name, reached] of reachable) {
    if (!reached.has(name)) continue;
    const circle = [...reached].filter((other) => reachable.get(other)?.has(name)).sort();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()].sort((a, b) => a.join().localeCompare(b.join()));
}

function reachableFrom(start: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(start) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(imports.get(name) ?? []));
  }
  return reached;
}
