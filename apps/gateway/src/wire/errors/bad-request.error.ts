/** A request that can be read, and asks for nothing that could be done: 400, which no kind of AppError stands for. */
export class BadRequestError extends Error {
  override readonly name = 'BadRequestError';

  /** @param code a stable slug @param message says what to do */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
