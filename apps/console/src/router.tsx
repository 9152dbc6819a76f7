import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { texts } from './api/search-params.js';
import { searchAddress } from './search/settings.js';
import { Shell } from './shell/shell.js';
import { NotFound } from './shell/not-found.js';
import { Failure, Loading } from './ui/states.js';

const root = createRootRoute({ component: Shell });

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => import('./projects/projects-page.js'), 'ProjectsPage'),
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./start/start-page.js'), 'StartPage'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/overview-page.js'), 'OverviewPage'),
});

const ofDeployment = [
  createRoute({
    getParentRoute: () => root,
    path: '/models',
    validateSearch: texts('kind', 'name'),
    component: lazyRouteComponent(() => import('./models/models-page.js'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memory',
    component: lazyRouteComponent(() => import('./memory/memory-page.js'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => import('./keys/keys-page.js'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    validateSearch: texts('id'),
    component: lazyRouteComponent(() => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/quotas',
    validateSearch: texts('org'),
    component: lazyRouteComponent(() => import('./quotas/quotas-page.js'), 'QuotasPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: texts('actor', 'operation', 'org_id', 'resource', 'since'),
    component: lazyRouteComponent(() => import('./audit/audit-page.js'), 'AuditPage'),
  }),
] as const;

const project = createRoute({ getParentRoute: () => root, path: '/p/$org/$project', component: Outlet });

const ofProject = [
  createRoute({
    getParentRoute: () => project,
    path: '/ingestion',
    validateSearch: texts('call'),
    component: lazyRouteComponent(() => import('./ingestion/ingestion-page.js'), 'IngestionPage'),
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
    component: lazyRouteComponent(() => import('./episodes/episodes-page.js'), 'EpisodesPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/features',
    validateSearch: texts('filter', 'id', 'validity'),
    component: lazyRouteComponent(() => import('./features/features-page.js'), 'FeaturesPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/conflicts',
    component: lazyRouteComponent(() => import('./conflicts/conflicts-page.js'), 'ConflictsPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/recall',
    validateSearch: texts('q', 'user'),
    component: lazyRouteComponent(() => import('./recall/recall-page.js'), 'RecallPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/users',
    component: lazyRouteComponent(() => import('./users/users-page.js'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/users/$user',
    component: lazyRouteComponent(() => import('./users/user-page.js'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/search',
    validateSearch: searchAddress,
    component: lazyRouteComponent(() => import('./search/search-page.js'), 'SearchPage'),
  }),
] as const;

/** Every view and its address. */
export const router = createRouter({
  routeTree: root.addChildren([overview, start, projects, ...ofDeployment, project.addChildren(ofProject)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
