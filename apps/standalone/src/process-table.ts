import { type ServiceUser } from '@loci/runtime';

/** What a process of ours needs besides NATS; `models`: the credentials of model providers, and the way to them. */
export type Need = 'postgres' | 'qdrant' | 'models';

interface Row {
  /** Names its log, its metrics and its entry in `run/processes.json`. */
  readonly name: string;
  /** Path of its main module below the folder of the apps. */
  readonly main: string;
  readonly needs: readonly Need[];
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
    { name: 'config-migrate', main: 'config-service/dist/migrate.main.js', needs: ['postgres'] },
    { name: 'episodic-migrate', main: 'episodic-service/dist/migrate.main.js', needs: ['postgres'] },
    { name: 'semantic-migrate', main: 'semantic-service/dist/migrate.main.js', needs: ['postgres'] },
  ],
  services: [
    {
      name: 'config-service',
      main: 'config-service/dist/api.main.js',
      user: 'config',
      needs: ['postgres', 'models'],
      serves: 'operator',
    },
    {
      name: 'episodic-api',
      main: 'episodic-service/dist/api.main.js',
      user: 'episodic',
      needs: ['postgres', 'qdrant', 'models'],
      serves: 'operator',
    },
    {
      name: 'episodic-worker',
      main: 'episodic-service/dist/worker.main.js',
      user: 'episodic',
      needs: ['postgres', 'qdrant', 'models'],
      serves: 'operator',
      isBackground: true,
    },
    {
      name: 'semantic-api',
      main: 'semantic-service/dist/api.main.js',
      user: 'semantic',
      needs: ['postgres', 'qdrant', 'models'],
      serves: 'operator',
    },
    {
      name: 'semantic-worker',
      main: 'semantic-service/dist/worker.main.js',
      user: 'semantic',
      needs: ['postgres', 'qdrant', 'models'],
      serves: 'operator',
      isBackground: true,
    },
    { name: 'gateway', main: 'gateway/dist/api.main.js', user: 'gateway', needs: [], serves: 'clients' },
  ],
};
