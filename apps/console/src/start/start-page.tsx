import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCurrentProject } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { buttonStyle } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Page, Panel } from '../ui/page.js';
import { Snippets } from './as-code.js';
import { FirstModel } from './first-model.js';
import { StoreSample } from './store-sample.js';
import { languagesOf } from './snippets.js';
import { mcpSnippet } from './mcp-snippet.js';
import { sampleProject } from './sample.js';

/** The way from nothing to an agent that remembers. */
export function StartPage() {
  const session = useSession();
  const rights = useRights();
  const current = useCurrentProject();
  const suggested = sampleProject(session);
  const [org, setOrg] = useState(suggested.org);
  const [project, setProject] = useState(suggested.project);
  return (
    <Page
      title="Get started"
      lead="Store a sample, give Loci a language model to learn with, and call it from your own program."
    >
      <Step number={1} title="Store a sample">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Organization">
            {(control) => (
              <Input
                {...control}
                disabled={session.org_id !== null}
                value={org}
                onChange={(event) => setOrg(event.target.value)}
              />
            )}
          </Field>
          <Field label="Project">
            {(control) => (
              <Input
                {...control}
                disabled={session.project_id !== null}
                value={project}
                onChange={(event) => setProject(event.target.value)}
              />
            )}
          </Field>
        </div>
        <StoreSample project={{ org, project }} />
      </Step>
      <Step number={2} title="Let it learn">
        {rights.deployment ? (
          <FirstModel />
        ) : (
          <p className="text-sm text-muted">
            Searching works without a language model. One is needed to distil messages into features; an
            administrator of the deployment registers it.
          </p>
        )}
      </Step>
      <Step number={3} title="Call it from your program">
        <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
          {session.authentication ? (
            <>
              Every call needs a key, here <code className="font-mono">LOCI_KEY</code>. The page does not have
              yours.
              {rights.admin && (
                <Link to="/keys" className={buttonStyle({ size: 'small' })}>
                  <KeyRound aria-hidden /> Make a key
                </Link>
              )}
            </>
          ) : (
            'This Loci is open to programs on this machine: no key is needed.'
          )}
        </p>
        <Calls project={current ?? { org, project }} isKeyed={session.authentication} />
      </Step>
    </Page>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

const Step = ({ number, title, children }: StepProps) => (
  <Panel title={`${number}. ${title}`}>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">{children}</div>
  </Panel>
);

interface CallsProps {
  readonly project: { readonly org: string; readonly project: string };
  readonly isKeyed: boolean;
}

function Calls({ project: { org, project }, isKeyed }: CallsProps) {
  const named = { org_id: org, project_id: project };
  const options = { isKeyed };
  const add = languagesOf(
    '/api/v2/memories',
    { ...named, messages: [{ content: 'Ada prefers tea.', producer: 'ada' }] },
    options,
  );
  const search = languagesOf('/api/v2/memories/search', { ...named, query: 'What does Ada drink?' }, options);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Snippets name="Add a message" snippets={add} />
      <Snippets name="Search" snippets={search} />
      <div className="lg:col-span-2">
        <Snippets name="Model Context Protocol" snippets={mcpSnippet(named, options)} />
      </div>
    </div>
  );
}
