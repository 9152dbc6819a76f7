import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';

/** Bytes of the client with what it imports, minified and compressed. */
const SIZE_BUDGET = 15_000;

const folder = mkdtempSync(join(tmpdir(), 'loci-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the client is installed: the packed file, and nothing else of this repository. */
const application = join(folder, 'application');

beforeAll(() => {
  execFileSync(process.execPath, ['tools/publish/main.mjs', folder], { stdio: 'pipe' });
  const installed = join(application, 'node_modules/@loci/client');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', fileOf('client'), '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'eventsource-parser']) {
    symlinkSync(join(process.cwd(), 'node_modules', name), join(application, 'node_modules', name));
  }
});

/** The packed file of a package. */
function fileOf(name: string): string {
  const file = readdirSync(folder).find((path) => path.startsWith(`loci-${name}-`) && path.endsWith('.tgz'));
  if (file === undefined) throw new Error(`@loci/${name} was not packed.`);
  return join(folder, file);
}

const arrayBufferOf = (buffer: Buffer): ArrayBuffer =>
  buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) as ArrayBuffer;

describe.each(['client', 'ai-sdk', 'langchain', 'mastra', 'openai-agents'])(
  'the packed file of @loci/%s',
  (name) => {
    test('is one in which publint finds nothing', async () => {
      const tarball = arrayBufferOf(readFileSync(fileOf(name)));
      const { messages } = await publint({ pack: { tarball }, level: 'suggestion' });
      expect(messages).toEqual([]);
    });

    test('has types that are those of its code, however they are resolved', async () => {
      const result = await checkPackage(createPackageFromTarballData(readFileSync(fileOf(name))));
      expect(result.types && result.problems).toEqual([]);
    });

    test('has no test, no source, and nothing that only this repository needs', () => {
      const files = execFileSync('tar', ['-tzf', fileOf(name)], { encoding: 'utf8' })
        .trim()
        .split('\n');
      expect(files.filter((path) => /spec|\/src\//.test(path))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE']));
      const manifest = execFileSync('tar', ['-xzOf', fileOf(name), 'package/package.json'], {
        encoding: 'utf8',
      });
      expect(manifest).not.toMatch(/@loci\/source|"nx"|devDependencies/);
    });
  },
);

describe('the packed client', () => {
  test.each([
    ['import', `import { Loci, where } from '@loci/client';`],
    ['require', `const { Loci, where } = require('@loci/client');`],
  ])('works by %s', (kind, line) => {
    const code = `${line} new Loci({ url: 'http://127.0.0.1:1' }); console.log(where({ user_id: "o'hara" }).text)`;
    const type = `--input-type=${kind === 'import' ? 'module' : 'commonjs'}`;
    const printed = execFileSync(process.execPath, [type, '-e', code], {
      cwd: application,
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe("metadata.'user_id' = 'o''hara'");
  });
});

/** The client as an application bundles it for a browser or a worker. */
const bundled = (): string =>
  execFileSync(
    process.execPath,
    [
      join(process.cwd(), 'node_modules/esbuild/bin/esbuild'),
      ...[
        '--bundle',
        '--minify',
        '--format=iife',
        '--global-name=loci',
        '--platform=browser',
        '--target=es2022',
      ],
    ],
    { cwd: application, input: `export * from '@loci/client'`, encoding: 'utf8' },
  );

test('keeps within its budget of bytes', () => {
  expect(gzipSync(bundled()).length).toBeLessThan(SIZE_BUDGET);
});

test('names nothing that only Node has', () => {
  const code = readFileSync(join(application, 'node_modules/@loci/client/dist/esm/index.js'), 'utf8');
  expect(/\b(?:process|Buffer|__dirname|setImmediate)\b|node:/.exec(code)?.[0]).toBeUndefined();
});

test('runs where there is nothing of Node', async () => {
  const { Request, Response, Headers, FormData, AbortController, AbortSignal, URL, URLSearchParams } =
    globalThis;
  const web = { Request, Response, Headers, FormData, AbortController, AbortSignal, URL, URLSearchParams };
  const others = { crypto, setTimeout, clearTimeout, TextDecoder };
  const requests: Request[] = [];
  const answer = { results: [{ uid: 'u1' }] };
  const fetch = (request: Request): Promise<Response> => {
    requests.push(request);
    return Promise.resolve(Response.json(answer));
  };
  const context = createContext({ ...web, ...others, fetch });
  const use = `new loci.Loci({ url: 'http://loci.test' }).memory({ org: 'o', project: 'p', user: 'u' }).add('Hello.')`;
  expect(await runInContext(`${bundled()};${use}`, context)).toEqual(['u1']);
  expect(await requests[0]?.json()).toEqual({
    org_id: 'o',
    project_id: 'p',
    messages: [{ content: 'Hello.', role: 'user', producer: 'u', metadata: { user_id: 'u' } }],
  });
});
