import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
<<<<<<< HEAD
import { readBody, readQuery, type WireShape } from './reading/shapes.js';

/** Turns the JSON of a request, or its query, into the class that its handler declares with `@Body()` or `@Query()`. */
=======
import { readRequest, type WireShape } from './reading/shapes.js';

/** Turns the JSON or the query of a request into the class that its handler declares with `@Body()` or `@Query()`. */
>>>>>>> main
@Injectable()
export class WireBodyPipe implements PipeTransform {
  constructor(private readonly env: GatewayEnv) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
<<<<<<< HEAD
    // a single parameter of the query is a string
    if (!metatype || metatype === String) return value;
    if (type === 'body') return readBody(metatype as WireShape<object>, value, this.env);
    return type === 'query' ? readQuery(metatype as WireShape<object>, value, this.env) : value;
=======
    if ((type !== 'body' && type !== 'query') || !metatype) return value;
    return readRequest(metatype as WireShape<object>, value, { from: type, limits: this.env });
>>>>>>> main
  }
}
