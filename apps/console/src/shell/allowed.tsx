import { LociError } from '@loci/client';
import { Outlet, useMatches } from '@tanstack/react-router';
import { rightsOf, useSession } from '../session/session.js';
import { Page } from '../ui/page.js';
import { Failure } from '../ui/states.js';
import { ADMIN_VIEWS, GENERAL_VIEWS, PROJECT_VIEWS, type View } from './navigation.js';

const BELOW_PROJECT = '/p/$org/$project';

/** The view that the navigation has for a route, also for one below it. */
function viewOf(path: string): View | undefined {
  const ofProject = path.startsWith(BELOW_PROJECT);
  const rest = ofProject ? path.slice(BELOW_PROJECT.length) : path;
  const isAt = (to: string | undefined): boolean =>
    to !== undefined && (rest === to || rest.startsWith(`${to}/`));
  return (ofProject ? PROJECT_VIEWS : [...GENERAL_VIEWS, ...ADMIN_VIEWS]).find(
    ({ to, also }) => isAt(to) || isAt(also),
  );
}

/** The view, for those whom the navigation leads there; who comes by a link is told why it is closed, and asks for nothing. */
export function Allowed() {
  const session = useSession();
  const view = viewOf(useMatches().at(-1)?.fullPath ?? '/');
  if (view?.needs?.(rightsOf(session)) ?? true) return <Outlet />;
  const may = session.scopes.join(', ');
  const where = [session.org_id, session.project_id].filter((part) => part !== null).join(' / ');
  const error = new LociError(403, 'forbidden', `It may ${may}${where === '' ? '' : `, in ${where}`}.`);
  return (
    <Page title={view?.name ?? ''}>
      <Failure error={error} />
    </Page>
  );
}
