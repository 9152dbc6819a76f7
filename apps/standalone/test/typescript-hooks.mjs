// Lets Node.js run our TypeScript sources without a build, for tests that need a launcher as a process of its own.
import { transformFile } from '@swc/core';
import { fileURLToPath } from 'node:url';

export async function resolve(specifier, context, next) {
  const fromSource = context.parentURL?.endsWith('.ts') && /^\.\.?\//.test(specifier);
  return next(fromSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), {
    swcrc: false,
    module: { type: 'es6' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
