import { PROJECT } from './views.js';

/** What a key may do, and where. */
export interface Key {
  readonly scopes: readonly string[];
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly producer?: string;
}

/** What a button does, and whom it would be refused to although the operation is open to them. */
export interface Action {
  readonly does: string;
  readonly isNot?: (key: Key) => boolean;
}

const speaksForOne = ({ producer }: Key): boolean => producer !== undefined;
const isOfProject = ({ project_id }: Key): boolean => project_id !== null;

const write = (path: string): Action => ({ does: `POST /api/v2/${path}` });
/** Takes a key that is bound to no producer. */
const unbound = (path: string): Action => ({ ...write(path), isNot: speaksForOne });
/** What is about mira, in this project. */
const ofMira = unbound;
const webhook = (does: string): Action => ({ does, isNot: speaksForOne });

export interface Sight {
  /** The operation that the view needs to show anything. */
  readonly reads: string;
  readonly buttons: Readonly<Record<string, Action>>;
}

const RESOURCES = '/api/v2/config/resources';
const LIST = 'POST /api/v2/memories/list';

/** Every button that changes something, by the view that has it. */
export const SIGHTS: Readonly<Record<string, Sight>> = {
  '/': { reads: '', buttons: {} },
  '/start': {
    reads: '',
    buttons: {
      'Store the sample': ofMira('memories'),
      'Register and try it': { does: `POST ${RESOURCES}/{kind}` },
    },
  },
  '/projects': {
    reads: 'POST /api/v2/projects/list',
    // the project that a key is bound to is there
    buttons: { 'New project': { ...write('projects'), isNot: isOfProject } },
  },
  [`${PROJECT}/episodes`]: { reads: LIST, buttons: {} },
  [`${PROJECT}/episodes?filter=producer_id%3D'mira'`]: {
    reads: LIST,
    buttons: { 'Delete what matches': write('memories/forget') },
  },
  [`${PROJECT}/episodes?uid={uid}`]: { reads: LIST, buttons: { Delete: ofMira('memories/episodic/delete') } },
  [`${PROJECT}/features`]: {
    reads: LIST,
    buttons: {
      Accept: write('memories/semantic/proposal/accept'),
      Reject: write('memories/semantic/proposal/reject'),
    },
  },
  [`${PROJECT}/features?id={feature}`]: {
    reads: LIST,
    buttons: {
      Accept: write('memories/semantic/proposal/accept'),
      Reject: write('memories/semantic/proposal/reject'),
      Correct: ofMira('memories/semantic/feature/update'),
      Delete: ofMira('memories/semantic/delete'),
      Undo: ofMira('memories/semantic/feature/undo'),
    },
  },
  [`${PROJECT}/conflicts`]: {
    reads: 'POST /api/v2/memories/semantic/conflict/list',
    buttons: { 'This holds:': ofMira('memories/semantic/conflict/settle') },
  },
  [`${PROJECT}/users`]: { reads: LIST, buttons: {} },
  [`${PROJECT}/users/mira`]: { reads: LIST, buttons: { Forget: write('memories/forget') } },
  [`${PROJECT}/sessions/lisbon`]: { reads: LIST, buttons: { Forget: write('memories/forget') } },
  [`${PROJECT}/search?q=tea`]: { reads: LIST, buttons: {} },
  [`${PROJECT}/recall?q=tea`]: { reads: LIST, buttons: {} },
  [`${PROJECT}/ingestion`]: {
    reads: 'GET /api/v2/ingestion/jobs',
    buttons: {
      'Try a prompt': write('ingestion/preview'),
      'Replay all': unbound('ingestion/dead-letters/replay'),
      Replay: unbound('ingestion/dead-letters/{id}/replay'),
      Drop: { does: 'DELETE /api/v2/ingestion/dead-letters/{id}', isNot: speaksForOne },
    },
  },
  [`${PROJECT}/settings`]: {
    reads: 'POST /api/v2/projects/get',
    buttons: {
      'Save models': { does: 'PUT /api/v2/projects/config', isNot: speaksForOne },
      'Save episodic memory': unbound('memory/episodic/config'),
      'Save semantic memory': unbound('memory/semantic/config'),
      Trust: unbound('memory/semantic/config'),
      'Import the file': write('projects/import'),
      'Learn again': unbound('ingestion/relearn'),
      'Delete this project': unbound('projects/delete'),
    },
  },
  '/models': { reads: `GET ${RESOURCES}`, buttons: { 'Register:': { does: `POST ${RESOURCES}/{kind}` } } },
  '/models?kind=language_models&name=stutters': {
    reads: `GET ${RESOURCES}`,
    buttons: {
      'Register:': { does: `POST ${RESOURCES}/{kind}` },
      'Try again': { does: `POST ${RESOURCES}/{kind}/{name}/retry` },
      Remove: { does: `DELETE ${RESOURCES}/{kind}/{name}` },
    },
  },
  '/memory': { reads: 'GET /api/v2/config', buttons: { Save: { does: 'PUT /api/v2/config/memory' } } },
  '/keys': {
    reads: 'GET /api/v2/keys',
    buttons: {
      'New key': write('keys'),
      Rotate: write('keys/{id}/rotate'),
      Revoke: { does: 'DELETE /api/v2/keys/{id}' },
    },
  },
  '/webhooks': {
    reads: 'GET /api/v2/webhooks',
    buttons: { 'New webhook': webhook('POST /api/v2/webhooks') },
  },
  '/webhooks?id={webhook}': {
    reads: 'GET /api/v2/webhooks',
    buttons: {
      'New webhook': webhook('POST /api/v2/webhooks'),
      'Send a test': webhook('POST /api/v2/webhooks/{id}/test'),
      Disable: webhook('PUT /api/v2/webhooks/{id}'),
      'Make a new secret': webhook('POST /api/v2/webhooks/{id}/rotate'),
      Delete: webhook('DELETE /api/v2/webhooks/{id}'),
    },
  },
  '/quotas': { reads: 'GET /api/v2/quotas', buttons: { Save: { does: 'PUT /api/v2/quotas' } } },
  '/audit': { reads: 'GET /api/v2/audit', buttons: {} },
};
