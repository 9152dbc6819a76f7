import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Columns2, Search } from 'lucide-react';
import { type SubmitEvent, useRef } from 'react';
import { newestQuery } from '../episodes/episodes.js';
import { vocabularyOf } from '../filter/filter-language.js';
import { type Project, useProject } from '../projects/project.js';
import { AsCode } from '../start/as-code.js';
import { Button } from '../ui/button.js';
import { Field, Input } from '../ui/field.js';
import { linkStyle } from '../ui/link-style.js';
import { Page, Panel } from '../ui/page.js';
import { useTyped } from '../ui/use-typed.js';
import { Legend } from './legend.js';
import { Results, useAnswers } from './results.js';
import { bodyOf, type SearchAddress, type Settings } from './settings.js';
import { SettingsForm } from './settings-form.js';

const route = getRouteApi('/p/$org/$project/search');

/** Messages whose fields and values a filter is completed with. */
const EXAMPLES = 100;

const NAME = 'Settings';
const OTHER_NAME = 'Other settings';

interface Typed {
  readonly query: string;
  readonly a: Settings;
  readonly b: Settings | undefined;
  readonly expected: string;
}

const typedBy = ({ q = '', a = {}, b, expected = '' }: SearchAddress): Typed => ({
  query: q,
  a,
  b,
  expected,
});

const bodiesOf = (project: Project, query: string, first: Settings, second: Settings | undefined) => [
  [NAME, bodyOf(project, query, first)] as const,
  ...(second ? [[OTHER_NAME, bodyOf(project, query, second)] as const] : []),
];

/** Asks a memory something, and shows why it answers so. */
export function SearchPage() {
  const project = useProject();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const { q: asked = '', a: first = {}, b: second } = address;
  const [{ query, a, b, expected }, type] = useTyped(typedBy(address));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void navigate({ search: { q: query, a, ...(b && { b }), ...(expected !== '' && { expected }) } });
  };
  const answers = useAnswers(project, asked, second ? [first, second] : [first]);
  const newest = useQuery(newestQuery(project, EXAMPLES));
  const form = useRef<HTMLFormElement>(null);
  const common = {
    vocabulary: vocabularyOf(newest.data ?? []),
    onSubmit: () => form.current?.requestSubmit(),
  };
  return (
    <Page
      title="Search"
      lead="Ask as an agent would, and see what each hit owes to meaning, words, neighbours and time."
      actions={
        asked !== '' && (
          <AsCode path="/api/v2/memories/search" bodies={bodiesOf(project, asked, first, second)} />
        )
      }
    >
      <Panel className="p-4">
        <form ref={form} onSubmit={submit} className="grid gap-3">
          <div className="flex flex-wrap gap-2">
            <Input
              aria-label="Query"
              placeholder="Where does Alice like to sit?"
              className="h-9 min-w-52 flex-1 text-base"
              required
              value={query}
              onChange={(event) => type({ query: event.target.value })}
            />
            <Button type="submit" look="primary" className="h-9">
              <Search aria-hidden /> Search
            </Button>
          </div>
          <div className={b ? 'grid gap-4 lg:grid-cols-2' : 'grid gap-4'}>
            <SettingsForm
              name={NAME}
              settings={a}
              error={answers[0]?.error}
              onChange={(changed) => type({ a: changed })}
              {...common}
            />
            {b && (
              <SettingsForm
                name={OTHER_NAME}
                settings={b}
                error={answers[1]?.error}
                onChange={(changed) => type({ b: changed })}
                {...common}
              />
            )}
          </div>
          <div className="flex flex-wrap items-start gap-3">
            <ExpectedMemory project={project} id={expected} onType={(id) => type({ expected: id })} />
            <Button className="mt-5" onClick={() => type({ b: b ? undefined : { ...a } })}>
              <Columns2 aria-hidden /> {b ? 'Only one' : 'Compare two settings'}
            </Button>
          </div>
        </form>
      </Panel>
      {asked !== '' && (
        <>
          <Legend answers={answers} />
          <Results project={project} answers={answers} expected={expected} />
        </>
      )}
    </Page>
  );
}

interface ExpectedMemoryProps {
  readonly project: Project;
  readonly id: string;
  readonly onType: (id: string) => void;
}

/** Any memory can be expected, however old it is: the details of each lead here. */
const ExpectedMemory = ({ project, id, onType }: ExpectedMemoryProps) => (
  <Field
    label="Expected memory, by id"
    hint={
      <>
        However old it is: find it under{' '}
        <Link to="/p/$org/$project/episodes" params={project} className={linkStyle()}>
          Episodes
        </Link>{' '}
        or{' '}
        <Link to="/p/$org/$project/features" params={project} className={linkStyle()}>
          Features
        </Link>
        , and ask in its details why it is not found.
      </>
    }
    className="min-w-52 flex-1"
  >
    {(control) => (
      <Input
        {...control}
        className="font-mono text-xs"
        placeholder="Why is it not there?"
        value={id}
        onChange={(event) => onType(event.target.value.trim())}
      />
    )}
  </Field>
);
