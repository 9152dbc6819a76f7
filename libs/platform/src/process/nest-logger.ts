import { type LoggerService } from '@nestjs/common';
import { type ProcessEnv } from './process-env.js';
import { type Logger } from '../logging/logger.js';
import { PinoLogger } from '../logging/pino-logger.js';

/** Nest's own messages in our log: its start-up chatter at debug, its trouble as it is. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(String(message), { nest: rest.at(-1) });
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(String(message), { nest: rest.at(-1) });
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(String(message), { nest: rest });
  }
}

/** For the options of `NestFactory`: what Nest says before the modules of the process exist. */
export const nestLogger = ({ SERVICE_NAME: service = 'loci', LOG_LEVEL: level }: ProcessEnv): NestLogger =>
  new NestLogger(new PinoLogger({ service, level }));
