/** Units in which people say how long messages live, the largest first. */
const SECONDS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const;

export type Unit = keyof typeof SECONDS;

export const UNITS = Object.keys(SECONDS) as readonly Unit[];

/** How long messages live, as it is typed; without an amount until they are deleted. */
export interface Lifetime {
  readonly amount: string;
  readonly unit: Unit;
}

/** @param seconds 0 = until they are deleted */
export function lifetimeOf(seconds: number): Lifetime {
  if (seconds === 0) return { amount: '', unit: 'days' };
  const unit = UNITS.find((one) => seconds % SECONDS[one] === 0) ?? 'seconds';
  return { amount: String(seconds / SECONDS[unit]), unit };
}

/** @returns 0 for one without an amount */
export const secondsOf = ({ amount, unit }: Lifetime): number => Number(amount) * SECONDS[unit];

/** @param seconds 0 = until they are deleted */
export function lifetimeInWords(seconds: number): string {
  const { amount, unit } = lifetimeOf(seconds);
  if (amount === '') return 'until they are deleted';
  return `${Number(amount).toLocaleString('en')} ${amount === '1' ? unit.slice(0, -1) : unit} at most`;
}
