let turn: Promise<void> | undefined;

/**
 * The end of the current turn of the event loop, one promise for all who ask in it. What is published then leaves in one
 * write to the socket: a process that serves many clients at once spends much of its time, and makes NATS spend much of
 * its own, on writes of one message each.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
