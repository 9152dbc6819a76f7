import { type Filter } from '@loci/client';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type Project } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { saveFile } from '../ui/save-file.js';
import { Refused } from '../ui/states.js';
import { exported } from './users.js';

interface ExportButtonProps {
  readonly project: Project;
  readonly episodes: Filter;
  /** Whose features are saved, too. */
  readonly user?: string;
  /** Of the file, without its ending. */
  readonly name: string;
}

/** Saves what matches as a file of JSON Lines. */
export function ExportButton({ project, name, ...wanted }: ExportButtonProps) {
  const exporting = useMutation({
    mutationFn: () => exported(project, wanted),
    onSuccess: (lines) => saveFile(lines, `${name}.jsonl`),
  });
  return (
    <>
      <Button isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download aria-hidden /> Export
      </Button>
      <Refused error={exporting.error} />
    </>
  );
}
