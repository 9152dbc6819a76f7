import { Logger } from '@loci/platform';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { errorAnswer } from './error-answer.js';

/** Answers every failure of a request in the shape that the API promises, and logs those that are our fault. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, headers, body, code } = errorAnswer(error);
    if (status === 500 && !isHangUp(error)) {
      this.logger.error('request failed', { request_id: request.id, error });
    }
    if (reply.sent) return;
    request.failureCode = code;
    // Fastify hangs up on a body that it refuses, and a client that is still sending would see that instead of the answer
    if (reply.hasHeader('connection')) reply.removeHeader('connection');
    void reply.code(status).headers(headers).send(body);
  }
}

/** What Node says of a request whose client was gone before the last of its body had come. */
const isHangUp = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ECONNRESET' &&
  'message' in error &&
  error.message === 'aborted';
