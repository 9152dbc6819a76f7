export interface StatementCost {
  /** Its name if it is prepared by name, else how it begins. */
  readonly statement: string;
  readonly times: number;
  readonly p50Ms: number;
  readonly mostMs: number;
}

const ENTRY =
  /\[(\d+)\] .*?LOG: {2}duration: ([\d.]+) ms {2}(parse|bind|execute|statement)\b ?([^:]*):([\s\S]*)/;
const SHOWN = 90;

/**
 * Reads a log of PostgreSQL that has the duration of every statement. A prepared statement has a line for each of its steps;
 * they count together.
 * @returns what each statement took, in ms, by its name
 */
export function statementsIn(log: string): Map<string, number[]> {
  const took = new Map<string, number[]>();
  const begun = new Map<string, number>();
  for (const entry of log.split(/\n(?=\d{4}-\d\d-\d\d )/)) {
    const [, pid = '', duration, step, name = '', text = ''] = ENTRY.exec(entry) ?? [];
    if (duration === undefined) continue;
    const sumMs = (begun.get(pid) ?? 0) + Number(duration);
    if (step === 'parse' || step === 'bind') {
      begun.set(pid, sumMs);
      continue;
    }
    begun.delete(pid);
    const key = nameOf(name.trim(), text);
    took.set(key, [...(took.get(key) ?? []), sumMs]);
  }
  return took;
}

const nameOf = (name: string, text: string): string =>
  name !== '' && name !== '<unnamed>' ? name : text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
