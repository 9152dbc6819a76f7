import { type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ProbeServer } from '../health/probe-server.js';
import { nestLogger } from './nest-logger.js';
import { type ProbedProcessEnv } from './process-env.js';
import { type Stoppable } from './run-process.js';

/** Starts a process that takes no requests: everything that it does begins in the bootstrap hooks of its modules. */
export async function startWorker(module: DynamicModule, env: ProbedProcessEnv): Promise<Stoppable> {
  const app = await NestFactory.createApplicationContext(module, { logger: nestLogger(env) });
  return withProbes(app, env);
}

/** Opens the probes of a started process; they are the last to go, so that an operator can watch it drain. */
export async function withProbes(app: INestApplicationContext, env: ProbedProcessEnv): Promise<Stoppable> {
  const probes = app.get(ProbeServer);
  await probes.listen(env.PROBE_PORT, env.PROBE_HOST);
  return {
    async close() {
      await app.close();
      await probes.close();
    },
  };
}
