import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { NotFoundException } from '@nestjs/common';
import { type ConnectionError, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorAnswer, httpFailureAnswer } from '../wire/errors/error-answer.js';
import { requestIdOf } from './request-scope.js';

/**
 * Answers a request whose path cannot be decoded, or names something by more characters than anything has: no hook and no
 * filter ever sees it.
 */
export function answerBadPath(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const isOverlong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  const { status, body } = errorAnswer(isOverlong ? new NotFoundException() : error);
  void reply.code(status).header('x-request-id', request.id).send(body);
}

/** Answers bytes that are not HTTP, or that came too slowly, and hangs up. */
export function answerBrokenHttp(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const body = JSON.stringify(httpFailureAnswer(status)?.body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestIdOf({ headers: {} })}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function statusOf(code: string): number {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    default:
      return 400;
  }
}
