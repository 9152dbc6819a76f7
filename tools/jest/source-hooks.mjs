// Lets Node load our sources, for shared-runtime.cjs.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './sources.cjs';

const GLOBALS = new URL('test-globals.mjs', import.meta.url).href;

/**
 * Sources name each other as they are called once compiled, and packages of ours lead to their sources. What a test file
 * leads to is loaded for its project, which stands behind the question mark.
 */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  const { conditions, parentURL = '' } = context;
  const [parent, project] = parentURL.split('?');
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && parent.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), parent);
    if (existsSync(source)) return { url: `${source.href}?${project}`, shortCircuit: true };
  }
  const found = await nextResolve(specifier, { ...context, conditions: [...conditions, '@loci/source'] });
  return isSource(found.url) && project ? { ...found, url: `${found.url}?${project}` } : found;
}

export async function load(url, context, nextLoad) {
  if (!isSource(url)) return nextLoad(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}

const isSource = (url) => /^file:[^?]*\.ts(\?|$)/.test(url);
