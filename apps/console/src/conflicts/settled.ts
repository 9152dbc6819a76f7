/** No more that contradict a feature are counted in a settlement. */
const MOST_COUNTED = 2_000;

/** What a settlement did, in words. @param headers of its answer */
export function settled(headers: Headers): string {
  const [ended, left] = [countIn(headers, 'x-ended-count'), countIn(headers, 'x-left-count')];
  if (ended === undefined || left === undefined) return 'This is settled. What conflicts still is listed.';
  const done = ended === 1 ? 'One other has ended.' : `${number(ended)} others have ended.`;
  if (left === 0) return done;
  const atLeast = ended + left >= MOST_COUNTED ? 'At least ' : '';
  const kept = left === 1 ? '1 is left as it was' : `${number(left)} are left as they were`;
  return `${done} ${atLeast}${kept}: they are too many or too large to end at once. Settle again to end more.`;
}

function countIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text === null ? undefined : Number(text);
}

const number = (count: number): string => count.toLocaleString('en');
