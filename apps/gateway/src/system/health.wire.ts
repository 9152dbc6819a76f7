import { type Static, Type } from 'typebox';

const ABOUT = { service: Type.Literal('loci'), version: Type.String() };

export const healthAnswer = Type.Object({ status: Type.Literal('healthy'), ...ABOUT }, { title: 'Health' });
export type HealthAnswer = Static<typeof healthAnswer>;

/** A refusal with the same facts: it tells what does not work. */
export interface UnhealthyAnswer extends Omit<HealthAnswer, 'status'> {
  readonly status: 'unhealthy';
  readonly detail: string;
  readonly code: 'service_unavailable';
}
