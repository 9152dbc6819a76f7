import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { idempotencyOf } from './idempotency.decorator.js';
import { type RequestClass } from './schema/request.js';

/** A class with `@Controller`. */
export interface ControllerClass {
  readonly prototype: object;
}

interface Argument {
  readonly index: number;
  readonly factory?: unknown;
}

/** What a handler takes of a request. */
export interface HandlerArguments {
  readonly body?: RequestClass;
  readonly query?: RequestClass;
  readonly takesIdempotencyKey: boolean;
}

/** @param name of the method of the controller that is the handler */
export function argumentsOf(controller: ControllerClass, name: string): HandlerArguments {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, name) ??
    []) as RequestClass[];
  const shapeOf = (kind: RouteParamtypes): RequestClass | undefined => {
    const [, argument] = Object.entries(args).find(([key]) => key.startsWith(`${kind}:`)) ?? [];
    const shape = argument && types[argument.index];
    return shape && 'schema' in shape ? shape : undefined;
  };
  const body = shapeOf(RouteParamtypes.BODY);
  const query = shapeOf(RouteParamtypes.QUERY);
  return {
    ...(body && { body }),
    ...(query && { query }),
    takesIdempotencyKey: Object.values(args).some(({ factory }) => factory === idempotencyOf),
  };
}
