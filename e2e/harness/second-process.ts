import { freePort } from '@loci/runtime';
import { eventually, type Loci, type ProcessName } from '@loci/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Another process of the same kind beside one that runs, on the same servers, as a second replica. */
export class SecondProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when it is ready. */
  static async start(loci: Loci, name: ProcessName): Promise<SecondProcess> {
    const { pid } = await loci.process(name);
    const [environment, command] = await Promise.all([
      readFile(`/proc/${pid}/environ`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const env = Object.fromEntries(
      environment.split('\0').flatMap((entry): [string, string][] => {
        const end = entry.indexOf('=');
        return end > 0 ? [[entry.slice(0, end), entry.slice(end + 1)]] : [];
      }),
    );
    const main = command.split('\0').find((part) => part.endsWith('.main.js'));
    if (main === undefined) throw new Error(`${name} has no main module: ${command}`);
    const port = await freePort();
    const child = spawn(process.execPath, [main], {
      env: { ...env, PROBE_PORT: String(port), SERVICE_NAME: `${name}-2` },
      stdio: 'ignore',
    });
    const second = new SecondProcess(child);
    try {
      await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok, {
        what: `a second ${name} is ready`,
        timeoutMs: 60_000,
      });
      return second;
    } catch (error) {
      await second.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
