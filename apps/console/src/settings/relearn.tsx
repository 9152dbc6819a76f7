import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { answered, api, type Wire } from '../api/loci.js';
import { named, type Project } from '../projects/project.js';
import { Button, buttonStyle } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Form } from '../ui/form.js';
import { Facts, Panel } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';
import { useProjectChange } from '../projects/project-settings.js';

interface OfProject {
  readonly project: Project;
}

/** Has all messages of a project learned again, once it was said what that takes. */
export function Relearn({ project }: OfProject) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Learn again" note="So that facts say whom they are about">
      <div className="grid gap-3 p-4 text-sm">
        <p>
          Features without a user that only models made are taken away, and the messages are learned from once
          more. What clients wrote stays. It costs calls of models: how many is said first.
        </p>
        <Button className="justify-self-end" onClick={() => setOpen(true)}>
          <RotateCcw aria-hidden /> Learn again
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Learn again"
        description="From then on facts are about users. What is taken away can be taken back, change by change."
      >
        <Preview project={project} />
      </Dialog>
    </Panel>
  );
}

const previewQuery = (project: Project) =>
  queryOptions({
    // not below the project: what is said before a start is not said again behind it
    queryKey: ['relearn-preview', project],
    queryFn: ({ signal }) =>
      answered(api.POST('/api/v2/ingestion/relearn/preview', { body: named(project), signal })),
    staleTime: 0,
    gcTime: 0,
  });

function Preview({ project }: OfProject) {
  const { data, error, refetch } = useQuery(previewQuery(project));
  const relearning = useProjectChange(project, () =>
    answered(api.POST('/api/v2/ingestion/relearn', { body: named(project) })),
  );
  if (relearning.data) return <Started project={project} taken={relearning.data} />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  if (data.messages === 0 && data.features === 0) return <p>No message was learned from yet.</p>;
  return (
    <Form action={`Learn from ${count(data.messages)} again`} sending={relearning} besides={[]}>
      <Facts entries={costOf(data)} />
    </Form>
  );
}

const number = (value: number): string => value.toLocaleString('en');

const count = (messages: number): string => (messages === 1 ? '1 message' : `${number(messages)} messages`);

const costOf = ({ messages, features, calls, input_tokens, output_tokens, cost }: Wire['Relearning']) =>
  [
    ['Messages to learn from', number(messages)],
    ['Features that are taken away', number(features)],
    ['Calls of models, at least', number(calls)],
    ['Tokens in, about', number(input_tokens)],
    ['Tokens out, about', number(output_tokens)],
    ['Cost, about', cost === null ? 'no prices are set' : cost.toFixed(2)],
  ] as const;

const Started = ({ project, taken }: OfProject & { readonly taken: Wire['Relearning'] }) => (
  <div className="grid gap-4">
    <p role="status">
      {count(taken.messages)} {taken.messages === 1 ? 'waits' : 'wait'} to be learned from again. It goes on
      when this is closed, and whatever is restarted.
    </p>
    <Link
      to="/p/$org/$project/ingestion"
      params={project}
      className={buttonStyle({ className: 'justify-self-end' })}
    >
      Follow it under Ingestion
    </Link>
  </div>
);
