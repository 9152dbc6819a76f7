import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const IMPORT = /^import (?:\{([^}]*)\} from )?[^;{]*'(\.[^']+)';/gm;

/** Where a class, a function or a constant begins, or a member of a class. */
const MEMBER =
  /^(?: {2}(?:(?:private|protected|static|override|async)\s+)*(\w+)[(<]|(?:export )?(?:abstract )?(?:async )?(?:function|const|class) (\w+))/;

/**
 * Where code that serves requests names the rows of all tenants.
 * @param folder the sources of an app: what its controllers import, directly or not, serves requests; types do not count
 * @returns each as `file member`, by name
 */
export function requestsThatSeeAll(folder: string): string[] {
  const controllers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.controller.ts'),
  );
  const found = [...servedBy(folder, controllers)].flatMap((file) =>
    membersThatSeeAll(readFileSync(join(folder, file), 'utf8')).map((member) => `${file} ${member}`),
  );
  return [...new Set(found)].sort();
}

/** The members of a file that name the rows of all tenants. */
export function membersThatSeeAll(text: string): string[] {
  const members: string[] = [];
  let member = '';
  for (const line of text.replaceAll(/^import [^;]*;/gm, '').split('\n')) {
    const [, inClass, atTop] = MEMBER.exec(line) ?? [];
    member = inClass ?? atTop ?? member;
    if (/\bROWS_OF_ALL\b/.test(line)) members.push(member);
  }
  return members;
}

function servedBy(folder: string, controllers: readonly string[]): ReadonlySet<string> {
  const served = new Set<string>();
  const open = [...controllers];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (served.has(file)) continue;
    served.add(file);
    open.push(...importsOf(folder, file));
  }
  return served;
}

function importsOf(folder: string, file: string): string[] {
  const path = join(folder, file);
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].flatMap(([, names = '', from = '']) => {
    const isOfTypes = names.trim() !== '' && names.split(',').every((name) => /^\s*(?:type\s|$)/.test(name));
    return isOfTypes ? [] : [relative(folder, resolve(dirname(path), from.replace(/\.js$/, '.ts')))];
  });
}
