import 'reflect-metadata';
import { loadEnv, Logger, runProcess } from '@loci/platform';
import { ApiModule } from './api.module.js';
import { GatewayEnv } from './env.js';
import { createHttpApp } from './http/create-http-app.js';

await runProcess(async () => {
  const env = loadEnv(GatewayEnv);
  const app = await createHttpApp(ApiModule.forRoot(env), env);
  await app.listen({ port: env.PORT, host: env.HOST });
  app.get(Logger).info('listening', { url: await app.getUrl() });
  return app;
});
