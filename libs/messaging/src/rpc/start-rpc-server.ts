import { nestLogger, type ProbedProcessEnv, type Stoppable, withProbes } from '@loci/platform';
import { type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AsyncMicroserviceOptions } from '@nestjs/microservices';
import { DrainingNatsServer } from './draining-nats.server.js';

/** Starts a process that answers operations; its module imports `RpcServerModule`. */
export async function startRpcServer(module: DynamicModule, env: ProbedProcessEnv): Promise<Stoppable> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module, {
    inject: [DrainingNatsServer],
    useFactory: (strategy: DrainingNatsServer) => ({ strategy }),
    logger: nestLogger(env),
  });
  await app.listen();
  return withProbes(app, env);
}
