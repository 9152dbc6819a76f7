import { useQuery } from '@tanstack/react-query';
import { projectQuery, useProject } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Page } from '../ui/page.js';
import { CopyProject } from './copy-project.js';
import { DeleteProject } from './delete-project.js';
import { EpisodicSettings } from './episodic-settings.js';
import { ProjectModels } from './project-models.js';
import { Relearn } from './relearn.js';
import { SemanticSettings } from './semantic-settings.js';

/** How a project remembers and learns, and the end of it. */
export function SettingsPage() {
  const project = useProject();
  const { projectAdmin } = useRights();
  const { data } = useQuery(projectQuery(project));
  return (
    <Page
      title="Settings"
      lead={data?.description || `How ${project.org} / ${project.project} remembers and learns.`}
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <ProjectModels project={project} />
          <EpisodicSettings project={project} />
          <CopyProject project={project} />
        </div>
        <div className="grid min-w-0 gap-4">
          <SemanticSettings project={project} />
          {projectAdmin && <Relearn project={project} />}
          {projectAdmin && <DeleteProject project={project} />}
        </div>
      </div>
    </Page>
  );
}
