import { type FleetOptions } from '@loci/testing';

const STORES = ['postgres', 'qdrant'];

const EPISODIC_WORKER = {
  name: 'episodic-worker',
  main: 'episodic-service/dist/worker.main.js',
  user: 'episodic',
  needs: STORES,
  serves: 'operator',
} as const;

/** What ingestion needs of Loci. It leaves out the vectors of episodes, which would only take processor time. */
export const PROCESSES: FleetOptions['table'] = {
  migrations: ['config', 'episodic', 'semantic'].map((name) => ({
    name: `${name}-migrate`,
    main: `${name}-service/dist/migrate.main.js`,
  })),
  services: [
    { name: 'streams', main: 'streams/dist/worker.main.js', user: 'streams', needs: [], serves: 'operator' },
    {
      name: 'config-service',
      main: 'config-service/dist/api.main.js',
      user: 'config',
      needs: ['postgres'],
      serves: 'operator',
    },
    {
      name: 'episodic-api',
      main: 'episodic-service/dist/api.main.js',
      user: 'episodic',
      needs: STORES,
      serves: 'operator',
    },
    {
      name: 'semantic-api',
      main: 'semantic-service/dist/api.main.js',
      user: 'semantic',
      needs: STORES,
      serves: 'operator',
    },
    {
      name: 'semantic-worker',
      main: 'semantic-service/dist/worker.main.js',
      user: 'semantic',
      needs: STORES,
      serves: 'operator',
    },
    { name: 'gateway', main: 'gateway/dist/api.main.js', user: 'gateway', needs: [], serves: 'clients' },
  ],
};

/** All of Loci. */
export const ALL_PROCESSES: FleetOptions['table'] = {
  ...PROCESSES,
  services: [...PROCESSES.services, EPISODIC_WORKER],
};
