// Jest's sequencer. A run ends with what is short, or one processor would wait for the last test of the product.
import TestSequencer from '@jest/test-sequencer';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE_FILES } from '../nx/e2e-folders.mjs';

const KINDS = ['e2e', 'integration', 'unit'];

const kindOf = ({ context }) => KINDS.indexOf(context.config.displayName.name);

/** A suite may hold little but the names of the files in its folder. */
function bytesOf({ path }) {
  const folder = path.replace(SUITE_FILES, '');
  const hasFolder = folder !== path && existsSync(folder);
  const parts = hasFolder ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [path, ...parts].reduce((sum, file) => sum + statSync(file).size, 0);
}

const isNew = ({ duration }) => duration === undefined;

const bySize = (a, b) => (isNew(a) && isNew(b) ? bytesOf(b) - bytesOf(a) : 0);

export default class SlowKindsFirst extends TestSequencer {
  /** @returns the test files by kind; those of a kind by how long they took last time, or else by their size */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => kindOf(a) - kindOf(b) || bySize(a, b));
  }
}
