import { type ServiceUser } from '@loci/runtime';

/** What a process of ours needs besides NATS; `models`: the credentials of model providers, and the way to them. */
export type Need = 'postgres' | 'qdrant' | 'models';

interface Row {
  /** Names its log, its metrics and its entry in `run/processes.json`. */
  readonly name: string;
  /** Path of its main module below the folder of the apps. */
  readonly main: string;
  readonly needs: readonly Need[];
  /** What it is for, in the READMEs. */
  readonly does: string;
}

export interface ServiceRow extends Row {
  /** Whose credentials it is given. */
  readonly user: ServiceUser;
  /** Whether it serves clients on PORT of HOST, or only its operator on a port of its own. */
  readonly serves: 'clients' | 'operator';
  /** Works in the background: yields to requests. */
  readonly isBackground?: true;
}

export interface ProcessTable {
  /** Run in parallel before any service; each must end with exit code 0. */
  readonly migrations: readonly Row[];
  readonly services: readonly ServiceRow[];
}

/** Every process of Loci on one machine. */
export const PROCESS_TABLE: ProcessTable = {
  migrations: [
    {
      name: 'config-migrate',
      main: 'config-service/dist/migrate.main.js',
      needs: ['postgres'],
      does: 'brings the schema `config` up to date, then ends',
    },
    {
      name: 'episodic-migrate',
      main: 'episodic-service/dist/migrate.main.js',
      needs: ['postgres'],
      does: 'brings the schema `episodic` up to date, then ends',
    },
    {
      name: 'semantic-migrate',
      main: 'semantic-service/dist/migrate.main.js',
      needs: ['postgres'],
      does: 'brings the schema `semantic` up to date, then ends',
    },
  ],
  services: [
    {
      name: 'streams',
      main: 'streams/dist/worker.main.js',
      user: 'streams',
      needs: [],
      does: 'makes the streams and consumers of JetStream, which no other process may make or change',
      serves: 'operator',
    },
    {
      name: 'config-service',
      main: 'config-service/dist/api.main.js',
      user: 'config',
      needs: ['postgres', 'models'],
      does: 'answers operations, relays the outbox, follows erasures, probes models, delivers webhooks, keeps the configuration file',
      serves: 'operator',
    },
    {
      name: 'episodic-api',
      main: 'episodic-service/dist/api.main.js',
      user: 'episodic',
      needs: ['postgres', 'qdrant', 'models'],
      does: 'answers operations; scales on requests',
      serves: 'operator',
    },
    {
      name: 'episodic-worker',
      main: 'episodic-service/dist/worker.main.js',
      user: 'episodic',
      needs: ['postgres', 'qdrant', 'models'],
      does: 'relays the outbox, keeps the vector index and the summaries, erases deleted projects; scales on the index backlog',
      serves: 'operator',
      isBackground: true,
    },
    {
      name: 'semantic-api',
      main: 'semantic-service/dist/api.main.js',
      user: 'semantic',
      needs: ['postgres', 'qdrant', 'models'],
      does: 'answers operations; scales on requests',
      serves: 'operator',
    },
    {
      name: 'semantic-worker',
      main: 'semantic-service/dist/worker.main.js',
      user: 'semantic',
      needs: ['postgres', 'qdrant', 'models'],
      does: 'relays the outbox, ingests messages, keeps the vector index, erases; scales on the ingestion backlog',
      serves: 'operator',
      isBackground: true,
    },
    {
      name: 'gateway',
      main: 'gateway/dist/api.main.js',
      user: 'gateway',
      needs: [],
      does: 'serves the public routes on `PORT`; scales on requests',
      serves: 'clients',
    },
  ],
};
