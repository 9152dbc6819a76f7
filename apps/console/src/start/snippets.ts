/** Stands for the key in code that is shown: the page never has it. */
export const KEY = '$LOCI_KEY';

/**
 * A request as code.
 * @param path below the address of Loci, such as `/api/v2/memories/search`
 * @param origin the address of Loci
 * @param isKeyed whether callers have to say who they are
 */
export const languagesOf = (
  path: string,
  body: object,
  { origin = window.location.origin, isKeyed = true } = {},
): ReadonlyMap<string, string> =>
  new Map([
    ['curl', asCurl(path, body, origin, isKeyed)],
    ['TypeScript', asTypeScript(path, body, origin, isKeyed)],
    ['Python', asPython(path, body, origin, isKeyed)],
  ]);

/** In single quotes, whatever is in it. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const asCurl = (path: string, body: object, origin: string, isKeyed: boolean): string =>
  [
    `curl -s ${shell(origin + path)} \\`,
    ...(isKeyed ? [`  -H "authorization: Bearer ${KEY}" \\`] : []),
    `  -H 'content-type: application/json' \\`,
    `  -d ${shell(JSON.stringify(body, undefined, 2))}`,
  ].join('\n');

const asTypeScript = (path: string, body: object, origin: string, isKeyed: boolean): string =>
  [
    // it is in no registry
    '// In the folder of Loci: npm run pack:npm. Beside this file: npm install <that folder>/dist/loci-client-*.tgz',
    `import { answered, Loci } from '@loci/client';`,
    '',
    `const loci = new Loci({ url: ${JSON.stringify(origin)}${isKeyed ? ', apiKey: process.env.LOCI_KEY' : ''} });`,
    `const answer = await answered(`,
    `  loci.api.POST(${JSON.stringify(path)}, { body: ${JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')} }),`,
    `);`,
    `console.log(answer);`,
  ].join('\n');

const asPython = (path: string, body: object, origin: string, isKeyed: boolean): string =>
  [
    '# pip install requests',
    ...(isKeyed ? ['import os', ''] : []),
    'import requests',
    '',
    'answer = requests.post(',
    `    ${JSON.stringify(origin + path)},`,
    ...(isKeyed ? [`    headers={"authorization": "Bearer " + os.environ["LOCI_KEY"]},`] : []),
    `    json=${python(body).replaceAll('\n', '\n    ')},`,
    ')',
    'answer.raise_for_status()',
    'print(answer.json())',
  ].join('\n');

/** A value as Python writes it. */
function python(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const further = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Array.isArray(value)
    ? value.map((one: unknown) => python(one, further))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one, further)}`);
  if (entries.length === 0) return `${open ?? ''}${close ?? ''}`;
  return `${open ?? ''}\n${entries.map((entry) => `${further}${entry},\n`).join('')}${indent}${close ?? ''}`;
}
