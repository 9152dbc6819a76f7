import 'reflect-metadata';
import { isLoopback, loadEnv, Logger, runProcess } from '@loci/platform';
import { ApiModule } from './api.module.js';
import { GatewayEnv } from './env.js';
import { createHttpApp } from './create-http-app.js';

await runProcess(async () => {
  const env = loadEnv(GatewayEnv);
  const app = await createHttpApp(ApiModule.forRoot(env), env);
  await app.listen({ port: env.PORT, host: env.HOST });
  const logger = app.get(Logger);
  logger.info('listening', { url: await app.getUrl(), authentication: env.isAuthRequired });
  if (!env.isAuthRequired && !isLoopback(env.HOST)) {
    logger.warn('every client that reaches this port can read, write and delete everything: set AUTH=on');
  }
  return app;
});
