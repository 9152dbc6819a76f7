import 'reflect-metadata';
import { loadEnv, runProcess, startWorker } from '@loci/platform';
import { StreamsEnv } from './env.js';
import { WorkerModule } from './worker.module.js';

await runProcess(() => {
  const env = loadEnv(StreamsEnv);
  return startWorker(WorkerModule.forRoot(env, env.SERVICE_NAME ?? 'streams'), env);
});
