import { describeExit, type ProcessEvent } from '@loci/runtime';

export type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Says what happens, one line each, with the seconds since the launcher began. */
export class Progress {
  private readonly begunAt = Date.now();

  constructor(private readonly output: Output) {}

  step(text: string): void {
    const elapsed = `${this.elapsedSeconds().padStart(6)} s`;
    this.output.write(`${this.output.isTTY ? `\u001B[2m${elapsed}\u001B[22m` : elapsed}  ${text}\n`);
  }

  event(event: ProcessEvent): void {
    const text = describeEvent(event);
    if (text !== undefined) this.step(text);
  }

  elapsedSeconds(): string {
    return ((Date.now() - this.begunAt) / 1_000).toFixed(1);
  }
}

/** What an event means to the person at the terminal; nothing, when the next one will say it. */
export function describeEvent(event: ProcessEvent): string | undefined {
  switch (event.kind) {
    case 'unchecked':
      return `${event.name} is not checked: no SHA-256 of its program is known for ${event.platform}`;
    case 'started':
      return undefined;
    case 'waiting':
      return `waiting for ${event.name}: not ready after ${inSeconds(event.forMs)}, given up after ${inSeconds(event.readyTimeoutMs)}`;
    case 'ready':
      return `${event.name} is ready`;
    case 'stuck':
      return `${event.name} does not work any more, and is ended`;
    case 'died':
      return `${event.name} died (${describeExit(event.exit)}), comes back in ${event.restartInMs} ms`;
    case 'start-failed':
      return `${event.name} did not start, next try in ${event.restartInMs} ms: ${event.reason}`;
    case 'restart-failed':
      return `${event.name} did not come back, next try in ${event.restartInMs} ms: ${event.reason}`;
    case 'restarted':
      return `${event.name} is back`;
    case 'stopped':
      return `${event.name} stopped`;
  }
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
