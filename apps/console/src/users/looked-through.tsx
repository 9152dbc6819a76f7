import { Button } from '../ui/button.js';
import { type Groups } from './groups.js';

/** How far the messages of a project are looked through. */
export function LookedThrough({ of: { data, isLooking, goOn } }: { readonly of: Groups }) {
  if (!data || (!isLooking && !goOn)) return null;
  const count = data.reduce((sum, { episodes }) => sum + episodes, 0).toLocaleString('en');
  return (
    <p role="status" className="flex items-center gap-3 border-t border-line px-4 py-2 text-sm text-muted">
      {isLooking ? `Looking through older messages: ${count} so far` : `In the newest ${count} messages`}
      {goOn && (
        <Button size="small" onClick={goOn}>
          Look through older ones
        </Button>
      )}
    </p>
  );
}
