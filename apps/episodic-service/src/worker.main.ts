import 'reflect-metadata';
import { loadEnv, runProcess, startWorker } from '@loci/platform';
import { EpisodicServiceEnv } from './env.js';
import { WorkerModule } from './worker.module.js';

await runProcess(() => {
  const env = loadEnv(EpisodicServiceEnv);
  return startWorker(WorkerModule.forRoot(env, env.SERVICE_NAME ?? 'episodic-worker'), env);
});
