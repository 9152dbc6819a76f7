import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Wire } from '../api/loci.js';
import { Badge } from '../ui/badge.js';
import { Bar } from '../ui/bar.js';
import { useRights } from '../session/session.js';
import { movesTo } from './move.js';
import { indexQuery, type Project } from './project.js';
import { Said } from '../ui/said.js';

type State = Wire['ProjectIndex']['state'];

const TONES = { ready: 'good', indexing: 'accent', moving: 'accent', waiting: 'warn' } as const;

/** How soon to look again: at what proceeds, and at what waits for an embedder. */
const LOOK_AGAIN_MS: Readonly<Record<State, number | false>> = {
  ready: false,
  indexing: 2000,
  moving: 2000,
  waiting: 10_000,
};

const isEitherIn = (state: State, { state: ofEpisodes, features }: Wire['ProjectIndex']): boolean =>
  ofEpisodes === state || features.state === state;

function lookAgainMs(index: Wire['ProjectIndex'] | undefined): number | false {
  if (!index) return false;
  const state = (['moving', 'indexing', 'waiting'] as const).find((one) => isEitherIn(one, index));
  return LOOK_AGAIN_MS[state ?? 'ready'];
}

/** How far the vectors of a project are, and from one embedder to another; what proceeds is followed. */
export function Vectors({ project }: { readonly project: Project }) {
  const { data, error } = useQuery({
    ...indexQuery(project),
    refetchInterval: ({ state }) => lookAgainMs(state.data),
  });
  if (error) return '—';
  if (!data) return '…';
  const { features, ...episodes } = data;
  const episodesTo = movesTo({
    ...episodes,
    active: episodes.active?.embedder,
    target: episodes.target?.embedder,
  });
  const featuresTo = movesTo({
    ...features,
    active: features.active[0]?.embedder,
    target: features.target[0]?.embedder,
  });
  return (
    <div className="grid gap-1.5">
      <Space
        what="episodes"
        state={episodes.state}
        to={episodesTo}
        embedder={episodes.active?.embedder ?? episodes.embedder}
        done={(episodesTo === undefined ? episodes.active : episodes.target)?.indexed ?? 0}
        of={episodes.episodes}
        problem={episodes.problem}
      />
      {episodes.unsupported_languages.length > 0 && (
        <Unsupported project={project} languages={episodes.unsupported_languages} />
      )}
      {features.state !== 'ready' && (
        <Space
          what="features"
          state={features.state}
          to={featuresTo}
          embedder={features.active[0]?.embedder ?? features.embedder}
          done={indexed(featuresTo === undefined ? features.active : features.target)}
          of={features.features}
          problem={features.problem}
        />
      )}
    </div>
  );
}

interface UnsupportedProps {
  readonly project: Project;
  readonly languages: readonly string[];
}

/** Offers another embedder to a project whose messages are in languages that its own does not know. */
function Unsupported({ project, languages }: UnsupportedProps) {
  const { deployment } = useRights();
  return (
    <p className="max-w-96 text-xs text-warn">
      {`Messages in ${languages.map(nameOf).join(', ')}: this embedder was trained on English, so their words find them and their meaning hardly does.`}
      {deployment && (
        <>
          {' Register an embedder for many languages under '}
          <Link to="/models" className="underline underline-offset-2">
            Models
          </Link>
          {', and choose it under '}
          <Link to="/p/$org/$project/settings" params={project} className="underline underline-offset-2">
            Settings
          </Link>
          {' of the project, or under '}
          <Link to="/memory" className="underline underline-offset-2">
            Memory
          </Link>
          {' for all.'}
        </>
      )}
    </p>
  );
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

const nameOf = (language: string): string => NAMES.of(language) ?? language;

const indexed = (spaces: readonly Wire['SetSpaces'][]): number =>
  spaces.reduce((sum, { indexed: count }) => sum + count, 0);

interface SpaceProps {
  readonly what: 'episodes' | 'features';
  readonly state: State;
  /** What searches use. */
  readonly embedder: string;
  /** What it moves to, if it does. */
  readonly to: string | undefined;
  readonly done: number;
  readonly of: number;
  readonly problem: string | null;
}

/** The vectors of the messages or of the features of a project. */
function Space({ what, state, embedder, to, done, of, problem }: SpaceProps) {
  const isOnItsWay = to !== undefined || state === 'indexing';
  const percent = isOnItsWay && of > 0 ? ` ${Math.floor((100 * Math.min(done, of)) / of)} %` : '';
  return (
    <div className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Badge tone={TONES[state]}>{`${what === 'features' ? 'features ' : ''}${state}${percent}`}</Badge>
        <span className="text-xs text-muted">
          <Said text={to === undefined ? embedder : `${embedder} → ${to}`} />
        </span>
        {problem !== null && (
          <span className="text-xs text-bad">
            <Said text={problem} />
          </span>
        )}
      </span>
      {isOnItsWay && (
        <Bar
          role="progressbar"
          label={to === undefined ? `Indexing of ${what}` : `Move of ${what} to ${to}`}
          value={done}
          max={of}
        />
      )}
    </div>
  );
}
