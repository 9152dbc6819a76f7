import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { loci } from '../api/loci.js';
import { keyOf, type Project, projectsQuery } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Bar } from '../ui/bar.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Panel } from '../ui/page.js';
import { saveFile } from '../ui/save-file.js';
import { Refused } from '../ui/states.js';
import { fileOf, linesOf } from './copies.js';

interface OfProject {
  readonly project: Project;
}

/** A project out into a file, and a file in. */
export function CopyProject({ project }: OfProject) {
  const { read, write } = useRights();
  return (
    <Panel title="Copy" note="As JSON Lines">
      <div className="grid gap-6 p-4 text-sm">
        {read && <Export project={project} />}
        {write && <Import project={project} />}
      </div>
    </Panel>
  );
}

const number = (value: number): string => value.toLocaleString('en');

function Export({ project }: OfProject) {
  const [lines, setLines] = useState(0);
  const exporting = useMutation({
    mutationFn: () => fileOf(loci.projects.export(project), setLines),
    onMutate: () => setLines(0),
    onSuccess: (file) => saveFile(file, `${project.org}-${project.project}.jsonl`),
  });
  return (
    <div className="grid gap-3">
      <p>
        The project as it is now: its settings, sets and categories, its messages, and what was learned from
        them with what it cites.
      </p>
      <Refused error={exporting.error} />
      {exporting.isPending && lines > 0 && <p role="status">{number(lines)} lines so far</p>}
      <Button className="justify-self-end" isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download aria-hidden /> Export the project
      </Button>
    </div>
  );
}

function Import({ project }: OfProject) {
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [bytes, setBytes] = useState(0);
  const importing = useMutation({
    mutationFn: (chosen: File) => loci.projects.import(project, linesOf(chosen, setBytes)),
    onMutate: () => setBytes(0),
    // of a file that breaks off, too, there is what came before
    onSettled: async () => {
      await client.invalidateQueries(projectsQuery);
      await client.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
  const sending = { ...importing, mutate: () => file && importing.mutate(file) };
  return (
    <Form
      action="Import the file"
      sending={sending}
      besides={[]}
      done={importing.data && <Taken taken={importing.data} />}
    >
      <Field
        label="File of an export"
        hint="What this project does not have yet is added, the rest stays as it is. One that broke off is imported again."
      >
        {(control) => (
          <Input
            {...control}
            type="file"
            required
            accept=".jsonl,.ndjson,application/x-ndjson"
            className="py-1"
            onChange={(event) => setFile(event.target.files?.[0])}
          />
        )}
      </Field>
      {importing.isPending && file && (
        <Bar role="progressbar" label="Read" value={bytes} max={Math.max(1, file.size)} />
      )}
    </Form>
  );
}

type Result = Awaited<ReturnType<typeof loci.projects.import>>;

const Taken = ({ taken: { added, existing, skipped } }: { readonly taken: Result }) => (
  <p role="status" className="text-good">
    {number(added)} added, {number(existing)} there already, {number(skipped)} left out.
  </p>
);
