import { type Operation } from '@loci/contracts';
import { Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

type AnyOperation = Operation<object, object>;

export interface HandleOptions<Request = never> {
  /**
   * It reads much: of such requests few run at the same time, those of all organizations in turn. A function says how many
   * turns a request is worth, of those that cost more than others.
   */
  readonly inTurn?: boolean | ((request: Request) => number);
}

/** Nest's own filter would replace every error by "Internal server error"; the server wants the error itself. */
@Catch()
export class LetErrorsPass implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Makes a controller method the one that answers an operation. It is given the validated request, as an instance of the
 * operation's class, and what it throws reaches the caller: an AppError as it is, anything else as `internal_error`.
 */
export function Handle<Request extends object, Response extends object>(
  operation: Operation<Request, Response>,
  { inTurn = false }: HandleOptions<Request> = {},
) {
  return <Method extends (request: Request) => Promise<Response>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    MessagePattern(operation.subject, { operation, inTurn })(target, name, descriptor);
    UseFilters(LetErrorsPass)(target, name, descriptor);
  };
}

interface Handler {
  readonly extras?: Record<string, unknown>;
}

/** The operation that a handler was registered for by `Handle`. */
export const operationOf = ({ extras }: Handler): AnyOperation | undefined =>
  extras?.['operation'] as AnyOperation | undefined;

/** How many turns a request is worth; undefined: its requests take none. */
export function turnsOf({ extras }: Handler): ((request: object) => number) | undefined {
  const inTurn = extras?.['inTurn'] as HandleOptions<object>['inTurn'];
  if (typeof inTurn === 'function') return inTurn;
  return inTurn === true ? () => 1 : undefined;
}
