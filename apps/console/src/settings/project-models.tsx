import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answered, api, type Wire } from '../api/loci.js';
import { MODEL_SETTINGS } from '../memory/model-settings.js';
import { ResourceField } from '../memory/resource-field.js';
import { HowFarMovesAre, lookAtMoves } from '../memory/settings-form.js';
import { resourcesQuery } from '../models/resources.js';
import { named, type Project, projectQuery } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Field, Input } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Loading } from '../ui/states.js';
import { useTyped } from '../ui/use-typed.js';
import { changesOf } from './changes.js';
import { Saved, SettingsPanel } from './settings-panel.js';
import { useProjectChange } from '../projects/project-settings.js';

const EMBEDDER = MODEL_SETTINGS['episodic_memory.long_term_memory.embedder'];
const RERANKER = MODEL_SETTINGS['episodic_memory.long_term_memory.reranker'];

/** The models that a project finds messages by. */
export function ProjectModels({ project }: { readonly project: Project }) {
  const { settings } = useRights();
  return (
    <SettingsPanel
      title="Models"
      note="By which messages are found"
      of={useQuery(projectQuery(project))}
      isChangeable={settings}
      entries={({ config: { embedder, reranker } }) => [
        [EMBEDDER, embedder || 'none'],
        [RERANKER, reranker || 'none'],
      ]}
    >
      {({ config }) => <ModelsForm project={project} config={config} />}
    </SettingsPanel>
  );
}

interface ModelsFormProps {
  readonly project: Project;
  readonly config: Wire['ProjectConfig'];
}

function ModelsForm({ project, config }: ModelsFormProps) {
  const { deployment } = useRights();
  const resources = useQuery({ ...resourcesQuery, enabled: deployment });
  const client = useQueryClient();
  const before = { embedder: config.embedder, reranker: config.reranker };
  const [typed, type] = useTyped(before);
  const change = useProjectChange(project, async () => {
    const body = { ...named(project), ...changesOf(before, typed) };
    const answer = await answered(api.PUT('/api/v2/projects/config', { body }));
    lookAtMoves(client);
    return answer;
  });
  // who may not see what is registered types a name
  if (resources.isLoading) return <Loading rows={3} />;
  const { embedders, rerankers } = resources.data ?? {};
  return (
    <Form
      action="Save models"
      sending={change}
      besides={[]}
      className="gap-4 p-4"
      done={
        change.data && (
          <Saved>
            <HowFarMovesAre />
          </Saved>
        )
      }
    >
      <ModelField
        label={EMBEDDER}
        hint="Another one moves the messages of the project; searches use the former one until all of them are moved."
        value={typed.embedder}
        resources={embedders}
        current={config.embedder}
        onChange={(embedder) => type({ embedder })}
      />
      <ModelField
        label={RERANKER}
        hint="It puts hits in order once they are found."
        value={typed.reranker}
        resources={rerankers}
        current={config.reranker}
        onChange={(reranker) => type({ reranker })}
      />
    </Form>
  );
}

interface ModelFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Those that are registered; undefined for callers who may not see them. */
  readonly resources: readonly Wire['Resource'][] | undefined;
  /** The one that is in force; empty for none. */
  readonly current: string;
  readonly onChange: (name: string) => void;
}

/** A model by its name; without one it is that of the deployment. */
function ModelField({ label, hint, value, resources, current, onChange }: ModelFieldProps) {
  if (resources) {
    return (
      <ResourceField
        label={label}
        hint={hint}
        value={value}
        resources={resources}
        current={current || null}
        none="as in the deployment"
        onPick={onChange}
      />
    );
  }
  return (
    <Field label={label} hint={`${hint} By its name; empty: as in the deployment.`}>
      {(control) => (
        <Input
          {...control}
          placeholder="as in the deployment"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
