import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
import { readBody, readQuery, type WireShape } from './reading/shapes.js';

/** Turns the JSON or the query of a request into the class that its handler declares with `@Body()` or `@Query()`. */
@Injectable()
export class WireBodyPipe implements PipeTransform {
  constructor(private readonly env: GatewayEnv) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!metatype) return value;
    const shape = metatype as WireShape<object>;
    if (type === 'body') return readBody(shape, value, this.env);
    return type === 'query' ? readQuery(shape, value, this.env) : value;
  }
}
