import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type Project } from '../projects/project.js';
import { linkStyle } from '../ui/link-style.js';
import { Said } from '../ui/said.js';
import { type Feature, supersededQuery } from './features.js';

type Precision = NonNullable<Feature['valid_from_precision']>;

/** As exactly as it is known: a year is not its first of January. */
const FORMATS: Readonly<Record<Precision, Intl.DateTimeFormat>> = {
  year: new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  time: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
};

function Moment({ at, precision = 'time' }: { readonly at: string; readonly precision?: Precision }) {
  return (
    <time dateTime={at} title={at}>
      {FORMATS[precision].format(new Date(at))}
    </time>
  );
}

type Period = Pick<Feature, 'valid_from' | 'valid_from_precision' | 'valid_until' | 'valid_until_precision'>;

/** Whether it does not hold any more. */
export const hasEnded = ({ valid_until }: Pick<Feature, 'valid_until'>): boolean =>
  valid_until !== undefined && Date.parse(valid_until) <= Date.now();

/** From when to when it holds in the world, which is not when it was said or learned. */
export function Validity({ of }: { readonly of: Period }) {
  const { valid_from: from, valid_until: until } = of;
  if (from === undefined && until === undefined) return <span>since it was first said</span>;
  return (
    <span>
      {from !== undefined && (
        <>
          since <Moment at={from} {...precisely(of.valid_from_precision)} />
        </>
      )}
      {from !== undefined && until !== undefined && ', '}
      {until !== undefined && (
        <>
          until <Moment at={until} {...precisely(of.valid_until_precision)} />
        </>
      )}
    </span>
  );
}

const precisely = (precision: Precision | undefined): { readonly precision?: Precision } =>
  precision === undefined ? {} : { precision };

interface SupersededByProps {
  readonly project: Project;
  readonly id: string | undefined;
}

/** Leads to what took over. */
export function SupersededBy({ project, id }: SupersededByProps) {
  if (id === undefined) return <span>nothing</span>;
  return (
    <FeatureLink project={project} id={id}>
      another feature
    </FeatureLink>
  );
}

interface SupersedesProps {
  readonly project: Project;
  readonly id: string;
}

/** What held before, and until when: each leads to its own history. */
export function Supersedes({ project, id }: SupersedesProps) {
  const { data = [] } = useQuery(supersededQuery(project, id));
  if (data.length === 0) return <span>nothing</span>;
  return (
    <ul className="grid gap-1">
      {data.map((feature) => (
        <li key={feature.metadata.id}>
          <FeatureLink project={project} id={feature.metadata.id}>
            <Said text={feature.value} />
          </FeatureLink>{' '}
          <span className="text-xs text-muted">
            <Validity of={feature} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface FeatureLinkProps {
  readonly project: Project;
  readonly id: string;
  readonly children: ReactNode;
}

/** Leads to a feature, beside what is listed. */
export const FeatureLink = ({ project, id, children }: FeatureLinkProps) => (
  <Link
    to="/p/$org/$project/features"
    params={project}
    // what is listed beside it stays
    search={(before) => ({ ...before, id })}
    className={linkStyle()}
  >
    {children}
  </Link>
);
