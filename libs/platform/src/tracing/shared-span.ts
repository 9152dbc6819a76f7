import { inSpan, markFailed, openSpan, type SpanDescription } from './span.js';
import { currentTraceparent } from './traceparent.js';

/** Traces that shared work is shown in, at most. */
const MAX_TRACES = 128;

/**
 * Does work that other requests have caused. What has one cause goes on in its trace. What has many is a trace of its
 * own that links to them, and in each of theirs a span as long as the work links back: a reader of a trace sees
 * when its part was done, and finds how.
 * @param causes their `traceparent`s; none begins a trace of its own
 */
export async function inSharedSpan<T>(
  name: string,
  description: Pick<SpanDescription, 'kind' | 'attributes' | 'links'>,
  causes: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const { links = [] } = description;
  const [only, second] = causes;
  if (second === undefined) return inSpan(name, { ...description, parent: only }, work);
  const shownIn = causes.slice(0, MAX_TRACES);
  return inSpan(name, { ...description, parent: undefined, links: [...links, ...shownIn] }, async () => {
    const whole = currentTraceparent();
    const toWhole = whole === undefined ? [] : [whole];
    const shown = shownIn.map((parent) => openSpan(name, { ...description, parent, links: toWhole }));
    try {
      return await work();
    } catch (error) {
      for (const span of shown) markFailed(span, error);
      throw error;
    } finally {
      for (const span of shown) span?.end();
    }
  });
}
