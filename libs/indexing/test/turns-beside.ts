/** What work gives, and how many turns of the event loop others had meanwhile. */
export async function turnsBeside<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  let turns = 0;
  const next = (): void => {
    turns += 1;
    other = setImmediate(next);
  };
  let other = setImmediate(next);
  try {
    return [await work(), turns];
  } finally {
    clearImmediate(other);
  }
}
