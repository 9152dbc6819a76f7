import { type Operation } from '@loci/contracts';
import { Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

type AnyOperation = Operation<object, object>;

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
) {
  return <Method extends (request: Request) => Promise<Response>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    MessagePattern(operation.subject, { operation })(target, name, descriptor);
    UseFilters(LetErrorsPass)(target, name, descriptor);
  };
}

/** The operation that a handler was registered for by `Handle`. */
export const operationOf = (handler: { extras?: Record<string, unknown> }): AnyOperation | undefined =>
  handler.extras?.['operation'] as AnyOperation | undefined;
