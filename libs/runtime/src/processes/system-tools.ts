import { execFile } from 'node:child_process';
import { type Command } from './command.js';

const known = new Map<string, Promise<boolean>>();

/** Whether a command exists on this machine and ends with exit code 0; asked once per process. */
export function commandWorks(...command: Command): Promise<boolean> {
  const key = command.join(' ');
  const asked = known.get(key) ?? tryCommand(command);
  known.set(key, asked);
  return asked;
}

function tryCommand([program, ...args]: Command): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, (error) => resolve(error === null));
  });
}

/**
 * A command prefix that makes the kernel send `signal` to the program when the thread that spawned it dies,
 * however it dies. Empty where there is no such thing (macOS).
 */
export async function parentDeathPrefix(signal: NodeJS.Signals): Promise<string[]> {
  const prefix = ['--pdeathsig', signal];
  return (await commandWorks('setpriv', ...prefix, 'true')) ? ['setpriv', ...prefix] : [];
}

/**
 * Linux shares the processor among sessions first (`sched_autogroup_enabled`, sched(7)): within its own session a
 * niceness changes nothing for others, so the session gets it too. The kernel takes ten such wishes a second.
 */
const NICE_SESSION = `
for try in 1 2 3 4 5; do
  [ -w /proc/self/autogroup ] || break
  { echo "$0" > /proc/self/autogroup; } 2>/dev/null && break
  sleep 0.2
done
exec nice -n "$0" "$@"`;

/**
 * A command prefix that runs a program with lower priority, every thread of it: `os.setPriority` from outside comes
 * after V8 has started threads of its own, and on Linux priority belongs to the thread.
 * @param niceness 1 (a little) to 19 (only when nothing else wants to run)
 */
export async function nicePrefix(niceness: number): Promise<string[]> {
  const works = await commandWorks('nice', '-n', String(niceness), 'true');
  return works ? ['sh', '-c', NICE_SESSION, String(niceness)] : [];
}
