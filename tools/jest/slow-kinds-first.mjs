// Jest's sequencer. A run ends with what is short, or one processor would wait for the last test of the product.
import TestSequencer from '@jest/test-sequencer';

const KINDS = ['e2e', 'integration', 'unit'];

const kindOf = ({ context }) => KINDS.indexOf(context.config.displayName.name);

export default class SlowKindsFirst extends TestSequencer {
  /** @returns the test files by kind; those of a kind by how long they took last time, or else by their size */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => kindOf(a) - kindOf(b));
  }
}
