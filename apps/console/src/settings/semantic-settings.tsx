import { useQuery } from '@tanstack/react-query';
import { answered, api, problemOf, type Wire } from '../api/loci.js';
import { named, type Project } from '../projects/project.js';
import { useRights } from '../session/session.js';
import { Check, Field, NumberField, Select } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useTyped } from '../ui/use-typed.js';
import { changesOf } from './changes.js';
import { Saved, SettingsPanel } from './settings-panel.js';
import { semanticSettingsQuery, useProjectChange } from '../projects/project-settings.js';
import { ProducerName, TrustedProducers, withTyped } from './trusted-producers.js';

type Settings = Wire['SemanticSettings'];

const FACTS_OF = {
  users: 'the users whose messages say them',
  project: 'the project as a whole',
} as const satisfies Record<Settings['facts_of'], string>;

const isFactsOf = (text: string): text is Settings['facts_of'] => text in FACTS_OF;

/** What a project learns from messages, whom it trusts, and which calls of models it keeps. */
export function SemanticSettings({ project }: { readonly project: Project }) {
  const { projectAdmin } = useRights();
  return (
    <SettingsPanel
      title="Semantic memory"
      note="What is learned from them"
      of={useQuery(semanticSettingsQuery(project))}
      isChangeable={projectAdmin}
      entries={({ trusted_producers, facts_of, keep_calls_days, keep_call_texts }) => [
        ['Trusted producers', <Names key="names" names={trusted_producers} />],
        ['Facts are about', FACTS_OF[facts_of]],
        ['Calls of models are kept', keptFor(keep_calls_days)],
        ['Texts of these calls', keep_call_texts ? 'kept' : 'not kept'],
      ]}
    >
      {(settings) => <SemanticForm project={project} settings={settings} />}
    </SettingsPanel>
  );
}

const keptFor = (days: number): string =>
  days === 0 ? 'not at all' : days === 1 ? 'for 1 day' : `for ${days} days`;

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return 'none';
  return (
    <ul className="grid gap-1">
      {names.map((name) => (
        <li key={name}>
          <ProducerName name={name} />
        </li>
      ))}
    </ul>
  );
}

interface SemanticFormProps {
  readonly project: Project;
  readonly settings: Settings;
}

function SemanticForm({ project, settings }: SemanticFormProps) {
  const { keep_calls_days } = settings;
  const [{ days, another, ...typed }, type] = useTyped({
    trusted_producers: settings.trusted_producers,
    facts_of: settings.facts_of,
    keep_call_texts: settings.keep_call_texts,
    days: String(keep_calls_days),
    another: '',
  });
  const wanted: Settings = {
    ...typed,
    trusted_producers: withTyped(typed.trusted_producers, another),
    keep_calls_days: Number(days),
  };
  const change = useProjectChange(project, async () => {
    const body = { ...named(project), ...changesOf(settings, wanted) };
    await answered(api.POST('/api/v2/memory/semantic/config', { body }));
    type({ another: '', trusted_producers: wanted.trusted_producers });
    return body;
  });
  return (
    <Form
      action="Save semantic memory"
      sending={change}
      besides={['trusted_producers', 'keep_calls_days']}
      className="gap-4 p-4"
      done={
        change.data && (
          <Saved>
            {(change.data.trusted_producers ?? change.data.facts_of) !== undefined && (
              <p>It counts for what is learned from now on; what is known stays as it is.</p>
            )}
          </Saved>
        )
      }
    >
      <TrustedProducers
        names={typed.trusted_producers}
        typed={another}
        problem={problemOf(change.error, 'trusted_producers')}
        onChange={(trusted_producers) => type({ trusted_producers, another: '' })}
        onType={(name) => type({ another: name })}
      />
      <Field
        label="Facts are about"
        hint={
          settings.facts_of === 'project'
            ? 'This project is older than facts that say whom they are about. Choose the users for what it learns from now on; Learn again does so for what it knows, too.'
            : undefined
        }
      >
        {(control) => (
          <Select
            {...control}
            value={typed.facts_of}
            options={Object.entries(FACTS_OF)}
            onPick={(facts) => (isFactsOf(facts) ? type({ facts_of: facts }) : undefined)}
          />
        )}
      </Field>
      <NumberField
        label="Days for which calls of models are kept"
        hint="Ingestion shows them. 0 keeps none."
        problem={problemOf(change.error, 'keep_calls_days')}
        required
        min={0}
        max={90}
        value={days}
        onType={(text) => type({ days: text })}
      />
      <Check
        label="With what the model was shown and replied"
        checked={typed.keep_call_texts}
        onCheck={(keep_call_texts) => type({ keep_call_texts })}
      />
      <Removed before={settings} after={wanted} />
    </Form>
  );
}

/** What a change takes away that is kept already. */
function Removed({ before, after }: { readonly before: Settings; readonly after: Settings }) {
  const isShorter = after.keep_calls_days < before.keep_calls_days;
  const isWithoutTexts = before.keep_call_texts && !after.keep_call_texts;
  if (!isShorter && !isWithoutTexts) return null;
  return (
    <p role="status" className="text-sm text-warn">
      {isShorter
        ? 'Calls that are kept already and are older than that go for good.'
        : 'The texts of calls that are kept already go for good.'}
    </p>
  );
}
