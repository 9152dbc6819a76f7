/** A view of the console, in the project whose address is put into it. */
export interface View {
  /** Its heading. */
  readonly heading: string;
  /** What it says where there is nothing; absent = there always is something. */
  readonly empty?: string;
  /** It asks for nothing, so that it has one state. */
  readonly isStill?: boolean;
}

/** What stands for the address of a project. */
export const PROJECT = '{project}';

/**
 * Every view by its address. The tests of states, of accessibility and of texts of strangers walk all of them; one that is
 * missing here fails the test of the navigation.
 */
export const VIEWS: Readonly<Record<string, View>> = {
  '/': { heading: 'Overview', empty: 'No project yet' },
  '/start': { heading: 'Get started', isStill: true },
  '/projects': { heading: 'Projects', empty: 'No project yet' },
  [`${PROJECT}/episodes`]: { heading: 'Episodes', empty: 'Nothing was said here yet' },
  [`${PROJECT}/features`]: { heading: 'Features', empty: 'Nothing is known yet' },
  [`${PROJECT}/conflicts`]: { heading: 'Conflicts', empty: 'Nothing contradicts anything' },
  [`${PROJECT}/users`]: { heading: 'Users', empty: 'No user is known yet' },
  [`${PROJECT}/users/mira`]: { heading: 'mira', empty: 'Nothing is known of mira yet' },
  [`${PROJECT}/sessions/lisbon`]: { heading: 'lisbon', empty: 'No message is of this session' },
  [`${PROJECT}/search?q=tea`]: { heading: 'Search', empty: 'Nothing was found' },
  [`${PROJECT}/recall?q=tea`]: { heading: 'Recall', empty: 'Nothing is remembered' },
  [`${PROJECT}/ingestion`]: { heading: 'Ingestion', empty: 'No message to learn from yet' },
  [`${PROJECT}/settings`]: { heading: 'Settings' },
  '/models': { heading: 'Models', empty: 'None is registered' },
  '/memory': { heading: 'Memory' },
  '/keys': { heading: 'Keys', empty: 'No key yet' },
  '/webhooks': { heading: 'Webhooks', empty: 'No webhook yet' },
  '/quotas': { heading: 'Quotas' },
  '/audit': { heading: 'Audit', empty: 'No record matches' },
};

/** @param org whose project `main` is meant */
export const addressOf = (view: string, org: string): string => view.replace(PROJECT, `/p/${org}/main`);
