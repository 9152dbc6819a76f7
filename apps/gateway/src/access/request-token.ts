import { type FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';
import { type Sessions } from './sessions.js';

/** The token that a request is made with: its own, else that of its session. @returns undefined when it has none */
export const requestToken = async (
  request: FastifyRequest,
  sessions: Sessions,
): Promise<string | undefined> => bearerToken(request.raw) ?? (await sessions.find(request))?.token;
