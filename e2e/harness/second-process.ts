import { freePort } from '@loci/runtime';
import { eventually, type Loci, type ProcessName } from '@loci/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Another process of the same kind beside one that runs, on the same servers, as a second replica. */
export class SecondProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Where it listens for clients, if it serves them, and for probes. */
    readonly url: string,
  ) {}

  /**
   * Resolves when it is ready.
   * @param changed what is different in its environment
   */
  static async start(
    loci: Loci,
    name: ProcessName,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<SecondProcess> {
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
      env: { ...env, PORT: String(port), PROBE_PORT: String(port), SERVICE_NAME: `${name}-2`, ...changed },
      stdio: 'ignore',
    });
    const second = new SecondProcess(child, `http://127.0.0.1:${port}`);
    try {
      await eventually(async () => (await fetch(`${second.url}/health/ready`)).ok, {
        what: `a second ${name} is ready`,
        timeoutMs: 120_000,
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
