import 'reflect-metadata';
import { startRpcServer } from '@loci/messaging';
import { loadEnv, runProcess } from '@loci/platform';
import { ApiModule } from './api.module.js';
import { EpisodicServiceEnv } from './env.js';

await runProcess(() => {
  const env = loadEnv(EpisodicServiceEnv);
  return startRpcServer(ApiModule.forRoot(env, env.SERVICE_NAME ?? 'episodic-api'), env);
});
