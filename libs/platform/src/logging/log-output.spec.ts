import { describe, expect, test } from '@jest/globals';
import { LogOutput } from './log-output.js';
import { PinoLogger } from './pino-logger.js';

/** A disk that takes as many bytes as there is room for. */
class Disk {
  text = '';

  constructor(public room: number) {}

  readonly put = (bytes: Buffer): number => {
    if (this.room === 0) throw new Error('ENOSPC: no space left on device, write');
    const some = bytes.subarray(0, this.room);
    this.room -= some.length;
    this.text += some.toString();
    return some.length;
  };
}

describe('the output of logs', () => {
  test('keeps what does not fit on a full disk, and writes it in its sequence when there is room', () => {
    const disk = new Disk(8);
    const output = new LogOutput(disk.put);
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line);
    expect(disk.text).toBe('one\ntwo\n');
    disk.room = Infinity;
    output.write('four\n');
    expect(disk.text).toBe('one\ntwo\nthree\nfour\n');
  });

  test('drops lines when too much waits', () => {
    const disk = new Disk(0);
    const output = new LogOutput(disk.put);
    const line = `${'x'.repeat(1024)}\n`;
    for (let lines = 0; lines < 500; lines += 1) output.write(line);
    disk.room = Infinity;
    output.write('there is room\n');
    expect(disk.text.length).toBeGreaterThan(250_000);
    expect(disk.text.length).toBeLessThan(270_000);
    output.write('the next\n');
    expect(disk.text.endsWith('\nthe next\n')).toBe(true);
  });

  test('lets a logger go on whose disk is full', () => {
    const destination = new LogOutput(new Disk(0).put);
    const logger = new PinoLogger({ service: 'spec', level: 'info', destination });
    expect(() => logger.error('nowhere')).not.toThrow();
  });
});
