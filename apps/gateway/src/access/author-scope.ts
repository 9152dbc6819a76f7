import { type Author } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { type FastifyInstance } from 'fastify';
import { type Caller, isKnown } from './caller.js';

/** Tells the services with every request who writes: what is stored says where it came from. */
export function nameAuthors(server: FastifyInstance): void {
  server.addHook('preHandler', ({ caller }, _reply, done) => {
    const scope = RequestContext.current();
    if (scope && isKnown(caller)) RequestContext.run({ ...scope, author: authorOf(caller) }, () => done());
    else done();
  });
}

const authorOf = ({ kind, id, name, producer }: Caller & { readonly kind: Author['kind'] }): Author => ({
  kind,
  id,
  ...(name !== undefined && { name }),
  ...(producer !== undefined && { producer }),
});
