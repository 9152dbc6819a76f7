import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rotate, type Rotation } from './rotation.mjs';

const TONIGHT = nightOf(20);

let root: string;
let said: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loci-rotation-'));
  said = [];
});

afterEach(() => rmSync(root, { recursive: true }));

function nightOf(day: number): string {
  return `2026-01-${String(day).padStart(2, '0')}T01-30-00Z`;
}

function begin(name: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'config.projects.copy.gz'), '');
}

function complete(name: string): void {
  begin(name);
  writeFileSync(join(root, name, 'manifest.json'), '{}');
}

const full = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** @param capacity how many backups the volume has room for, complete or not */
const saveInto = (capacity: number) => (): Promise<void> => {
  if (readdirSync(root).length >= capacity) return Promise.reject(full());
  complete(TONIGHT);
  return Promise.resolve();
};

const run = (
  keep: number,
  save: () => Promise<void>,
  ifUnclaimed: Rotation['ifUnclaimed'] = (_, work) => work(),
): Promise<void> => rotate({ root, keep, ifUnclaimed, save, say: (sentence) => said.push(sentence) });

test('what killed runs left is removed before anything is saved', async () => {
  complete(nightOf(1));
  begin(nightOf(2));
  begin(nightOf(3));
  await run(14, saveInto(2));
  expect(readdirSync(root)).toEqual([nightOf(1), TONIGHT]);
  expect(said).toEqual([nightOf(2), nightOf(3)].map((name) => `${join(root, name)} is removed.`));
});

test('what another run is writing stays, and so does what it completed meanwhile', async () => {
  begin(nightOf(1));
  begin(nightOf(2));
  await run(14, saveInto(99), async (name, work) => {
    if (name === nightOf(1)) return;
    writeFileSync(join(root, name, 'manifest.json'), '{}');
    await work();
  });
  expect(readdirSync(root)).toEqual([nightOf(1), nightOf(2), TONIGHT]);
});

test('the oldest gives way before the new one is made', async () => {
  for (const day of [1, 2, 3]) complete(nightOf(day));
  await run(3, saveInto(3));
  expect(readdirSync(root)).toEqual([nightOf(2), nightOf(3), TONIGHT]);
});

test('where fewer fit than are wanted, the oldest gives way to the new one', async () => {
  for (const day of [1, 2, 3]) complete(nightOf(day));
  await run(14, saveInto(3));
  expect(readdirSync(root)).toEqual([nightOf(2), nightOf(3), TONIGHT]);
});

test('a volume that stays full costs one backup in a run, and the last complete one never', async () => {
  for (const day of [1, 2, 3]) complete(nightOf(day));
  await expect(run(14, saveInto(0))).rejects.toThrow('no space left');
  expect(readdirSync(root)).toEqual([nightOf(2), nightOf(3)]);
  await expect(run(14, saveInto(0))).rejects.toThrow('no space left');
  await expect(run(14, saveInto(0))).rejects.toThrow('no space left');
  expect(readdirSync(root)).toEqual([nightOf(3)]);
});

test('with one to be kept, the last stays until the new one is complete', async () => {
  complete(nightOf(1));
  await expect(run(1, () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(readdirSync(root)).toEqual([nightOf(1)]);
  await run(1, saveInto(2));
  expect(readdirSync(root)).toEqual([TONIGHT]);
});

test('folders of other names are left alone', async () => {
  begin('2026-01-01');
  complete('by-hand');
  await run(1, saveInto(99));
  expect(readdirSync(root)).toEqual(['2026-01-01', TONIGHT, 'by-hand']);
});
