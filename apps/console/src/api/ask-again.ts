import { focusManager, notifyManager, type Query } from '@tanstack/react-query';
import { isUnanswered } from './failures.js';

/** The pause before that which had no answer is asked again. */
export const ASK_AGAIN_MS = 3000;

type Unanswered = Pick<Query<unknown, unknown>, 'state' | 'isActive' | 'fetch' | 'setState'>;

/**
 * Asks again for what had no answer, as long as a view shows it. A refusal is an answer.
 * @param query whose last try failed just now
 */
export function askAgain(error: unknown, query: Unanswered): void {
  if (!isUnanswered(error)) return;
  const { errorUpdateCount, dataUpdateCount } = query.state;
  const again = (): void => {
    const { state } = query;
    const isAnswered =
      state.errorUpdateCount !== errorUpdateCount || state.dataUpdateCount !== dataUpdateCount;
    if (isAnswered || state.fetchStatus !== 'idle' || !query.isActive()) return;
    if (!focusManager.isFocused()) {
      setTimeout(again, ASK_AGAIN_MS);
      return;
    }
    notifyManager.batch(() => {
      // what fails again asks again by itself
      query.fetch().catch(() => undefined);
      // the failure stays in sight until there is an answer
      if (state.status === 'error') query.setState({ status: 'error', error: state.error });
    });
  };
  setTimeout(again, ASK_AGAIN_MS);
}
