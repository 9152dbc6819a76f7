import 'reflect-metadata';
import { startRpcServer } from '@loci/messaging';
import { loadEnv, runProcess } from '@loci/platform';
import { ApiModule } from './api.module.js';
import { SemanticServiceEnv } from './env.js';

await runProcess(() => {
  const env = loadEnv(SemanticServiceEnv);
  return startRpcServer(ApiModule.forRoot(env, env.SERVICE_NAME ?? 'semantic-api'), env);
});
