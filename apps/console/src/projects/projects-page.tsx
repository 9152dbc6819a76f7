import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { Empty, Listed } from '../ui/states.js';
import { type Wire } from '../api/loci.js';
import { countInWords } from './counted.js';
import { CreateProject } from './create-project.js';
import { countQuery, type Project, projectsQuery } from './project.js';
import { Vectors } from './vectors.js';
import { Said } from '../ui/said.js';

type Row = Wire['ProjectName'];

const projectOf = ({ org_id: org, project_id: project }: Row): Project => ({ org, project });

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Organization', by: ({ org_id }) => org_id, cell: ({ org_id }) => <Said text={org_id} /> },
  {
    name: 'Project',
    by: ({ project_id }) => project_id,
    cell: (row) => (
      <Link to="/p/$org/$project/episodes" params={projectOf(row)} className={linkStyle({ look: 'entry' })}>
        <Said text={row.project_id} />
      </Link>
    ),
  },
  { name: 'Episodes', cell: (row) => <Episodes project={projectOf(row)} />, className: 'tabular-nums' },
  { name: 'Vectors', cell: (row) => <Vectors project={projectOf(row)} /> },
];

/** Every project that the caller may see. */
export function ProjectsPage() {
  const projects = useQuery(projectsQuery);
  const { write, organization } = useRights();
  return (
    <Page
      title="Projects"
      lead="Each project remembers apart from all others."
      actions={write && organization && <CreateProject />}
    >
      <Panel>
        <Listed
          of={projects}
          empty={
            <Empty title="No project yet">
              <p>The first message that is added to a project makes it.</p>
              <Link to="/start" className={buttonStyle({ look: 'primary' })}>
                Store a first message
              </Link>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Projects"
              rows={rows}
              idOf={({ org_id, project_id }) => `${org_id}/${project_id}`}
              columns={COLUMNS}
            />
          )}
        </Listed>
      </Panel>
    </Page>
  );
}

function Episodes({ project }: { readonly project: Project }) {
  const { data, error } = useQuery(countQuery(project));
  if (error) return '—';
  return data ? countInWords(data) : '…';
}
