import { useState } from 'react';

/**
 * What is typed into a form that an address fills in. Another address, as of the way back, fills it in again.
 * @param said what the address says; compared by what it is as JSON
 */
export function useTyped<Fields extends object>(
  said: Fields,
): readonly [typed: Fields, type: (change: Partial<Fields>) => void] {
  const [typed, setTyped] = useState(said);
  const address = JSON.stringify(said);
  const [filledInBy, setFilledInBy] = useState(address);
  if (address !== filledInBy) {
    setFilledInBy(address);
    setTyped(said);
  }
  return [typed, (change) => setTyped((now) => ({ ...now, ...change }))];
}
