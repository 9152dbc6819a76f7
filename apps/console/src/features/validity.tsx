import { Link } from '@tanstack/react-router';
import { type Project } from '../projects/project.js';
import { type Feature } from './features.js';

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
    <Link
      to="/p/$org/$project/features"
      params={project}
      search={{ id }}
      className="text-accent underline underline-offset-2"
    >
      another feature
    </Link>
  );
}
