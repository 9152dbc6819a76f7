import { type Project } from '@loci/contracts';

/** As services give them. */
export const PROJECT: Project = {
  projectUid: '01890a5d-ac96-774b-bcce-b302099a8057',
  tenant: { orgId: 'o', projectId: 'p' },
  description: '',
  config: {
    backend: 'event',
    embedder: 'local',
    reranker: '',
    vectorGraphStore: '',
    vectorStore: 'qdrant',
    segmentStore: 'postgres',
    propertiesSchema: {},
  },
  models: { embedder: '', reranker: '', revision: 0 },
};

export const SETTINGS = { enabled: true, longTermEnabled: true, shortTermEnabled: true, ttlSeconds: 0 };
