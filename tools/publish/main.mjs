// Packs what is published: `npm run pack:npm [-- folder]` writes tarballs into the folder (default `dist`). With
// `--publish` it publishes them instead; npm reads its token from NODE_AUTH_TOKEN.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PUBLISHED, stage, stagedAt } from './stage.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { publish: { type: 'boolean', default: false } },
});
const to = mkdtempSync(join(tmpdir(), 'loci-npm-'));
try {
  await stage(to);
  const target = resolve(positionals[0] ?? 'dist');
  mkdirSync(target, { recursive: true });
  for (const name of PUBLISHED) {
    const npm = values.publish
      ? ['publish', '--access', 'public', '--provenance']
      : ['pack', '--pack-destination', target];
    execFileSync('npm', npm, { cwd: stagedAt(to, name), stdio: 'inherit' });
  }
} finally {
  rmSync(to, { recursive: true, force: true });
}
