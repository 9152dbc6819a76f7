import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NewVersion, reloadOnce } from '../api/reached.js';
import { Page } from '../ui/page.js';
import { Failure } from '../ui/states.js';

/** In place of a view that failed. One whose code is gone, because Loci was updated, is loaded anew with the page. */
export function ViewFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOutdated = error instanceof NewVersion;
  useEffect(() => {
    if (isOutdated) reloadOnce();
  }, [isOutdated]);
  const again = (): void => {
    if (isOutdated) window.location.reload();
    else void router.invalidate().then(reset);
  };
  return (
    <Page title="Not shown">
      <Failure error={error} onRetry={again} />
    </Page>
  );
}
