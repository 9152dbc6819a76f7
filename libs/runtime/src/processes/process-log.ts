import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 15;

/**
 * The log file of one process: its standard output and error, written by the process itself so that nothing is lost
 * or held up when the parent is busy. A new run starts a new file and keeps one earlier one, and so does a restart
 * that finds more than 10 MiB. While the process runs, `bound` keeps it short.
 */
export class ProcessLog {
  private newRun = true;
  private startedAtByte = 0;

  constructor(readonly path: string) {}

  /** A file descriptor to write to, for one start of the process; the caller closes it. */
  open(): number {
    if (this.newRun || sizeOf(this.path) > MAX_BYTES) this.setAside();
    this.newRun = false;
    const descriptor = openSync(this.path, 'a', 0o600);
    this.startedAtByte = fstatSync(descriptor).size;
    return descriptor;
  }

  /**
   * Sets the last 10 MiB of a longer file aside, and lets the process go on in the same file: it appends, so it needs to know
   * nothing of that. What it writes in the milliseconds in between is lost.
   * @throws Error of the file system
   */
  bound(): void {
    const size = sizeOf(this.path);
    if (size <= MAX_BYTES) return;
    try {
      writeFileSync(this.previousPath, readBytes(this.path, size - MAX_BYTES, size), { mode: 0o600 });
    } catch {
      // a full disk has no room for a copy, and needs that of the file all the more
      rmSync(this.previousPath, { force: true, recursive: true });
    }
    truncateSync(this.path);
    this.startedAtByte = 0;
  }

  private get previousPath(): string {
    return join(dirname(this.path), `${basename(this.path, '.log')}.previous.log`);
  }

  /** The last lines written since the latest start. */
  lastLines(): string {
    const size = sizeOf(this.path);
    const from = Math.max(this.startedAtByte, size - TAIL_BYTES);
    return readText(this.path, from, size).trim().split('\n').slice(-TAIL_LINES).join('\n');
  }

  private setAside(): void {
    try {
      renameSync(this.path, this.previousPath);
    } catch {
      // there is none yet
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readText(path: string, from: number, to: number): string {
  return to <= from ? '' : readBytes(path, from, to).toString('utf8');
}

function readBytes(path: string, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from);
  const descriptor = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, from));
  } finally {
    closeSync(descriptor);
  }
}
