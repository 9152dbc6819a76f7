import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, api, problemOf } from '../api/loci.js';
import { keyOf, named, type Project } from '../projects/project.js';
import { Button } from '../ui/button.js';
import { Field, Input, TextArea } from '../ui/field.js';
import { Refused } from '../ui/states.js';
import { say } from '../ui/toasts.js';
import { isInvisible } from '../ui/visible.js';
import { type Feature } from './features.js';

interface CorrectFeatureProps {
  readonly project: Project;
  readonly feature: Feature;
  readonly onDone: () => void;
}

/** Makes a feature say something else for good: what a client wrote, no model changes. */
export function CorrectFeature({ project, feature, onDone }: CorrectFeatureProps) {
  const [value, setValue] = useState(feature.value);
  const [tag, setTag] = useState(feature.tag);
  const client = useQueryClient();
  const correcting = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v2/memories/semantic/feature/update', {
          body: { ...named(project), feature_id: feature.metadata.id, value, tag },
        }),
      ),
    onSuccess: async () => {
      say('Corrected. Models will not change it any more.');
      await client.invalidateQueries({ queryKey: keyOf(project) });
      onDone();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!isInvisible(value)) correcting.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3 rounded-md border border-line p-3">
      <Field
        label="What it says"
        problem={isInvisible(value) ? 'Nothing of it would be seen.' : problemOf(correcting.error, 'value')}
      >
        {(control) => (
          <TextArea
            {...control}
            autoFocus
            required
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Field label="Tag" problem={problemOf(correcting.error, 'tag')}>
        {(control) => (
          <Input {...control} required value={tag} onChange={(event) => setTag(event.target.value)} />
        )}
      </Field>
      <Refused error={correcting.error} besides={['value', 'tag']} />
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isBusy={correcting.isPending}>
          Correct
        </Button>
      </div>
    </form>
  );
}
