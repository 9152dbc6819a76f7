import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);

/** The snippets of a document as one program. */
export interface Snippets {
  readonly code: string;
  /** What the document says (`// → …`) that they print, line by line. */
  readonly printed: readonly string[];
}

export type Language = 'ts' | 'bash' | 'sh' | 'json' | 'python';

/** Those of one language, in their sequence, for an organization of their own. @param urls what stands for what they name */
export function snippetsIn(
  document: string,
  urls: Readonly<Record<string, string>>,
  language: Language = 'ts',
): Snippets {
  const blocks = blocksIn(document, language);
  if (blocks.length === 0) throw new Error(`${document} shows no ${language}.`);
  const organization = `acme-${randomUUID()}`;
  const named = blocks.join('\n').replaceAll(/(['"])(?:acme|demo)\1/g, `$1${organization}$1`);
  const code = Object.entries(urls).reduce((given, [url, real]) => given.replaceAll(url, real), named);
  return { code, printed: [...code.matchAll(/^\s*(?:\/\/|#) → (.*)$/gm)].map(([, line = '']) => line) };
}

/** The blocks of a document in one language; of those for a shell, requests to Loci only. */
export function blocksIn(document: string, language: Language): string[] {
  const text = readFileSync(document, 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  return blocks
    .filter(([, named, code = '']) => named === language && (named !== 'bash' || code.startsWith('curl')))
    .map(([, , code = '']) => code);
}

/** Runs requests of a shell; one that is refused fails. @returns what was answered */
export async function runRequests(code: string): Promise<string> {
  const script = `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n${code}`;
  return (await run('bash', ['-c', script])).stdout;
}

/** Runs TypeScript in a process of its own, from what is built. @returns the lines that it printed */
export async function runSnippets(code: string, node = process.execPath): Promise<string[]> {
  const { target, module } = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText: javascript } = ts.transpileModule(code, { compilerOptions: { target, module } });
  const env = { ...process.env, FORCE_COLOR: '0' };
  const { stdout } = await run(node, ['--input-type=module', '-e', javascript], { env });
  return stdout.split('\n').filter((line) => line !== '');
}
