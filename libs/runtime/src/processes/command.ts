export type Command = readonly [program: string, ...args: string[]];

/** A command run by another one, such as `nice -n 10 <command>`; an empty prefix changes nothing. */
export function prefixed(prefix: readonly string[], command: Command): Command {
  const [first, ...rest] = prefix;
  return first === undefined ? command : [first, ...rest, ...command];
}
