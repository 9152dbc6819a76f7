import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { fromPath, toPath } from './api/path-names.js';
import { reached } from './api/reached.js';
import { texts } from './api/search-params.js';
import { ProjectViews } from './projects/project-views.js';
import { searchAddress } from './search/settings.js';
import { Shell } from './shell/shell.js';
import { NotFound } from './shell/not-found.js';
import { ViewFailure } from './shell/view-failure.js';
import { Loading } from './ui/states.js';

const root = createRootRoute({ component: Shell });

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => reached(import('./projects/projects-page.js')), 'ProjectsPage'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => reached(import('./start/start-page.js')), 'StartPage'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => reached(import('./overview/overview-page.js')), 'OverviewPage'),
});

const ofDeployment = [
  createRoute({
    getParentRoute: () => root,
    path: '/models',
    validateSearch: texts('kind', 'name'),
    component: lazyRouteComponent(() => reached(import('./models/models-page.js')), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memory',
    component: lazyRouteComponent(() => reached(import('./memory/memory-page.js')), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => reached(import('./keys/keys-page.js')), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    validateSearch: texts('id'),
    component: lazyRouteComponent(() => reached(import('./webhooks/webhooks-page.js')), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/quotas',
    validateSearch: texts('org'),
    component: lazyRouteComponent(() => reached(import('./quotas/quotas-page.js')), 'QuotasPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: texts('actor', 'operation', 'org_id', 'resource', 'since'),
    component: lazyRouteComponent(() => reached(import('./audit/audit-page.js')), 'AuditPage'),
  }),
] as const;

const project = createRoute({
  getParentRoute: () => root,
  path: '/p/$org/$project',
  component: ProjectViews,
});

const ofProject = [
  createRoute({
    getParentRoute: () => project,
    path: '/ingestion',
    validateSearch: texts('call', 'set', 'outcome', 'page', 'try'),
    component: lazyRouteComponent(() => reached(import('./ingestion/ingestion-page.js')), 'IngestionPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/',
    beforeLoad: ({ params }) => redirect({ to: '/p/$org/$project/episodes', params, throw: true }),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/episodes',
    validateSearch: texts('filter', 'uid', 'at', 'marked'),
    component: lazyRouteComponent(() => reached(import('./episodes/episodes-page.js')), 'EpisodesPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/features',
    validateSearch: texts('filter', 'id', 'validity', 'sets'),
    component: lazyRouteComponent(() => reached(import('./features/features-page.js')), 'FeaturesPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/conflicts',
    component: lazyRouteComponent(() => reached(import('./conflicts/conflicts-page.js')), 'ConflictsPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/recall',
    validateSearch: texts('q', 'user'),
    component: lazyRouteComponent(() => reached(import('./recall/recall-page.js')), 'RecallPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/users',
    component: lazyRouteComponent(() => reached(import('./users/users-page.js')), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/users/$user',
    params: {
      parse: ({ user }) => ({ user: fromPath(user) }),
      stringify: ({ user }) => ({ user: toPath(user) }),
    },
    component: lazyRouteComponent(() => reached(import('./users/user-page.js')), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/sessions/$session',
    params: {
      parse: ({ session }) => ({ session: fromPath(session) }),
      stringify: ({ session }) => ({ session: toPath(session) }),
    },
    component: lazyRouteComponent(() => reached(import('./users/session-page.js')), 'SessionPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/search',
    validateSearch: searchAddress,
    component: lazyRouteComponent(() => reached(import('./search/search-page.js')), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/settings',
    component: lazyRouteComponent(() => reached(import('./settings/settings-page.js')), 'SettingsPage'),
  }),
] as const;

/** Every view and its address. */
export const router = createRouter({
  routeTree: root.addChildren([overview, start, projects, ...ofDeployment, project.addChildren(ofProject)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ViewFailure,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
