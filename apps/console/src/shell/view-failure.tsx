import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { ASK_AGAIN_MS } from '../api/ask-again.js';
import { isUnanswered } from '../api/failures.js';
import { NewVersion, reloadOnce } from '../api/reached.js';
import { Page } from '../ui/page.js';
import { Failure } from '../ui/states.js';

/** In place of a view that failed. One whose code is gone, because Loci was updated, is loaded again with the page. */
export function ViewFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOutdated = error instanceof NewVersion;
  const again = (): void => {
    if (isOutdated) window.location.reload();
    else void router.invalidate().then(reset);
  };
  const askAgain = useEffectEvent(again);
  useEffect(() => {
    if (isOutdated) reloadOnce();
    if (!isUnanswered(error)) return undefined;
    const timer = setTimeout(askAgain, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error, isOutdated]);
  return (
    <Page title="Not shown">
      <Failure error={error} onRetry={again} />
    </Page>
  );
}
