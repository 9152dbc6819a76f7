import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
import { readBody, type WireShape } from './reading/shapes.js';

/** Turns the JSON of a request into the class that its handler declares with `@Body()`. */
@Injectable()
export class WireBodyPipe implements PipeTransform {
  constructor(private readonly env: GatewayEnv) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    return type === 'body' && metatype ? readBody(metatype as WireShape<object>, value, this.env) : value;
  }
}
