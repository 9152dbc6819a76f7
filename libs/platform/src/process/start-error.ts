/** A process cannot start, and its operator can do something about it: the message says what, so no stack is shown. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
