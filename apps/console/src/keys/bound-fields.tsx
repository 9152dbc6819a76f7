import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { problemOf, type Wire } from '../api/loci.js';
import { projectsQuery } from '../projects/project.js';
import { useRights, useSession } from '../session/session.js';
import { Field, Input } from '../ui/field.js';

/** What a key or a webhook is bound to; empty is not bound. */
export interface Bounds {
  readonly org_id: string;
  readonly project_id: string;
  readonly producer: string;
}

const FIELDS = [
  ['org_id', 'Organization', 'all'],
  ['project_id', 'Project', 'all of the organization'],
  ['producer', 'Producer', 'any'],
] as const;

/** The bounds of the caller, which nothing that they make exceeds. */
export function useOwnBounds(): Bounds {
  const { org_id, project_id, producer } = useSession();
  return { org_id: org_id ?? '', project_id: project_id ?? '', producer: producer ?? '' };
}

/** Names that are offered while one types. */
const OFFERED = 200;

/** Names of what there is, to complete what is typed. */
function namesFor(
  name: keyof Bounds,
  { org_id: org }: Bounds,
  projects: readonly Wire['ProjectName'][],
): readonly string[] {
  if (name === 'producer') return [];
  const fitting = name === 'org_id' ? projects : projects.filter(({ org_id }) => org_id === org);
  return [...new Set(fitting.map((project) => project[name]))].slice(0, OFFERED);
}

interface BoundFieldsProps {
  readonly bounds: Bounds;
  /** Those that can be bound. */
  readonly names: readonly (keyof Bounds)[];
  readonly error: unknown;
  readonly onChange: (bounds: Bounds) => void;
}

/** What is made reaches no further than this. Where the caller is bound, it cannot be changed. */
export function BoundFields({ bounds, names, error, onChange }: BoundFieldsProps) {
  const own = useOwnBounds();
  const { read } = useRights();
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: read });
  const listId = useId();
  return FIELDS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
    <Field key={name} label={label} problem={problemOf(error, name)}>
      {(control) => (
        <>
          <Input
            {...control}
            list={`${listId}${name}`}
            disabled={own[name] !== ''}
            placeholder={placeholder}
            value={bounds[name]}
            onChange={(event) => onChange({ ...bounds, [name]: event.target.value })}
          />
          <datalist id={`${listId}${name}`}>
            {namesFor(name, bounds, projects).map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  ));
}
