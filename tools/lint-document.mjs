// What the recommended rules of Spectral find in an API document, one finding a line. Exits with 1 when there is one.
// Usage: node tools/lint-document.mjs [document]      (default: openapi.json)
import { readFile } from 'node:fs/promises';
import process, { argv, stdout } from 'node:process';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const document = JSON.parse(await readFile(argv[2] ?? 'openapi.json', 'utf8'));
const findings = await spectral.run(document);
for (const { code, path, message } of findings) stdout.write(`${code} ${path.join('.')}: ${message}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
