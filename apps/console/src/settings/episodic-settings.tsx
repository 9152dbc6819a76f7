import { useQuery } from '@tanstack/react-query';
import { answered, api, problemOf, type Wire } from '../api/loci.js';
import { named, type Project } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Check, Field, NumberField, Select } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useTyped } from '../ui/use-typed.js';
import { changesOf } from './changes.js';
import { lifetimeInWords, lifetimeOf, secondsOf, type Unit, UNITS } from './lifetime.js';
import { Saved, SettingsPanel } from './settings-panel.js';
import { episodicSettingsQuery, useProjectChange } from '../projects/project-settings.js';

type Config = Wire['EpisodicMemoryConfigEntry'];

const inUse = (isInUse: boolean): string => (isInUse ? 'in use' : 'off');

/** What a project remembers of messages, and for how long. */
export function EpisodicSettings({ project }: { readonly project: Project }) {
  const { settings } = useRights();
  return (
    <SettingsPanel
      title="Episodic memory"
      note="Messages as they were said"
      of={useQuery(episodicSettingsQuery(project))}
      isChangeable={settings}
      entries={(config) => [
        ['Episodic memory', inUse(config.enabled)],
        ['Long-term memory', inUse(config.long_term_memory_enabled)],
        ['Short-term memory', inUse(config.short_term_memory_enabled)],
        ['Messages live', lifetimeInWords(config.ttl_seconds ?? 0)],
      ]}
    >
      {(config) => <EpisodicForm project={project} config={config} />}
    </SettingsPanel>
  );
}

interface EpisodicFormProps {
  readonly project: Project;
  readonly config: Config;
}

function EpisodicForm({ project, config }: EpisodicFormProps) {
  const { ttl_seconds = 0, ...halves } = config;
  const [{ amount, unit, ...typed }, type] = useTyped({ ...halves, ...lifetimeOf(ttl_seconds) });
  const change = useProjectChange(project, async () => {
    const wanted = { ...typed, ttl_seconds: secondsOf({ amount, unit }) };
    const body = { ...named(project), ...changesOf({ ...halves, ttl_seconds }, wanted) };
    await answered(api.POST('/api/v2/memory/episodic/config', { body }));
    return body;
  });
  return (
    <Form
      action="Save episodic memory"
      sending={change}
      besides={['ttl_seconds']}
      className="gap-4 p-4"
      done={change.data && <Saved>{change.data.ttl_seconds !== undefined && <FromNowOn />}</Saved>}
    >
      <Check label="Episodic memory" checked={typed.enabled} onCheck={(enabled) => type({ enabled })} />
      <Check
        label="Long-term memory"
        hint="Searched by meaning and words."
        checked={typed.long_term_memory_enabled}
        onCheck={(long_term_memory_enabled) => type({ long_term_memory_enabled })}
      />
      <Check
        label="Short-term memory"
        hint="The newest messages and a summary."
        checked={typed.short_term_memory_enabled}
        onCheck={(short_term_memory_enabled) => type({ short_term_memory_enabled })}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_8rem] gap-3">
        <NumberField
          label="Messages live at most"
          hint="Empty: until they are deleted. It is for messages that are added from now on."
          problem={problemOf(change.error, 'ttl_seconds')}
          min={0}
          value={amount}
          onType={(wanted) => type({ amount: wanted })}
        />
        <Field label="Unit">
          {(control) => (
            <Select
              {...control}
              value={unit}
              options={UNITS}
              onPick={(wanted) => type({ unit: wanted as Unit })}
            />
          )}
        </Field>
      </div>
    </Form>
  );
}

const FromNowOn = () => (
  <p>
    What is stored already keeps its time: it is deleted under Episodes, by a filter, if it has to go sooner.
  </p>
);
