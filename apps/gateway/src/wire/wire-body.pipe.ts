import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
import { readRequest, type RequestClass } from './schema/request.js';

/** Turns the JSON or the query of a request into the class that its handler declares with `@Body()` or `@Query()`. */
@Injectable()
export class WireBodyPipe implements PipeTransform {
  constructor(private readonly env: GatewayEnv) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    return readRequest(metatype as RequestClass, value, { from: type, limits: this.env });
  }
}
