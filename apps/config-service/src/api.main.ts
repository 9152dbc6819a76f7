import 'reflect-metadata';
import { startRpcServer } from '@loci/messaging';
import { loadEnv, runProcess } from '@loci/platform';
import { ApiModule } from './api.module.js';
import { ConfigServiceEnv } from './env.js';

await runProcess(() => {
  const env = loadEnv(ConfigServiceEnv);
  return startRpcServer(ApiModule.forRoot(env, env.SERVICE_NAME ?? 'config-service'), env);
});
