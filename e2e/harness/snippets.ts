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

/** Those in TypeScript, in their sequence, for an organization of their own. @param urls what stands for what they name */
export function snippetsIn(document: string, urls: Readonly<Record<string, string>>): Snippets {
  const text = readFileSync(document, 'utf8');
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  if (blocks.length === 0) throw new Error(`${document} shows no TypeScript.`);
  const named = blocks.join('\n').replaceAll("'acme'", `'acme-${randomUUID()}'`);
  const code = Object.entries(urls).reduce((given, [url, real]) => given.replaceAll(url, real), named);
  return { code, printed: [...code.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, line = '']) => line) };
}

/** Runs a program in a process of its own, from what is built. @returns the lines that it printed */
export async function runSnippets(code: string): Promise<string[]> {
  const { target, module } = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText: javascript } = ts.transpileModule(code, { compilerOptions: { target, module } });
  const env = { ...process.env, FORCE_COLOR: '0' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', javascript], { env });
  return stdout.split('\n').filter((line) => line !== '');
}
