import 'reflect-metadata';
import { loadEnv, runProcess, startWorker } from '@loci/platform';
import { SemanticServiceEnv } from './env.js';
import { WorkerModule } from './worker.module.js';

await runProcess(() => {
  const env = loadEnv(SemanticServiceEnv);
  return startWorker(WorkerModule.forRoot(env, env.SERVICE_NAME ?? 'semantic-worker'), env);
});
