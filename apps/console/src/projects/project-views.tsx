import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { hasCode } from '../api/failures.js';
import { useRights } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { Page, Panel } from '../ui/page.js';
import { Empty } from '../ui/states.js';
import { pathOf, projectQuery, useProject } from './project.js';

/**
 * The views of a project, unless there is none of the name: lists of it are empty for a caller of the whole deployment. Those
 * of another project are mounted anew, with nothing that was typed, chosen or shown of the former one.
 */
export function ProjectViews() {
  const project = useProject();
  const { read } = useRights();
  const { error } = useQuery({ ...projectQuery(project), enabled: read });
  if (!hasCode(error, 'project_not_found')) return <Outlet key={pathOf(project)} />;
  return (
    <Page title="Not found">
      <Panel>
        <Empty title={`There is no project ${project.org} / ${project.project}`}>
          <p>It was deleted, or nothing was added to it yet.</p>
          <Link to="/projects" className={buttonStyle()}>
            Projects
          </Link>
        </Empty>
      </Panel>
    </Page>
  );
}
