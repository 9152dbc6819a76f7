import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';

const ABOUT = {
  service: described(Type.Literal('loci'), 'Always `loci`.'),
  version: described(Type.String(), 'Version of Loci.', '0.1.0'),
};

export const healthAnswer = Type.Object(
  {
    status: described(Type.Literal('healthy'), 'Always `healthy`; what does not work is answered by 503.'),
    ...ABOUT,
  },
  { title: 'Health' },
);
export type HealthAnswer = Static<typeof healthAnswer>;

/** A refusal with the same facts: it tells what does not work. */
export interface UnhealthyAnswer extends Omit<HealthAnswer, 'status'> {
  readonly status: 'unhealthy';
  readonly detail: string;
  readonly code: 'service_unavailable';
}
