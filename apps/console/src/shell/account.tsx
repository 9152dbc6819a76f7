import { LogOut } from 'lucide-react';
import { closeSession, useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { When } from '../ui/when.js';
import { chooseTheme, THEMES, useTheme } from './theme.js';

/** Who looks, and how it looks. */
export function Account() {
  const session = useSession();
  const theme = useTheme();
  const leave = async (): Promise<void> => {
    await closeSession();
    // nothing of what was shown stays in memory
    window.location.reload();
  };
  const bounds = [session.org_id ?? 'all organizations', session.project_id].filter((part) => part !== null);
  return (
    <div className="grid gap-2 border-t border-line p-3 text-xs text-muted">
      {session.authentication ? (
        <div className="flex items-start gap-2">
          <p className="min-w-0 flex-1">
            <span className="block truncate font-medium text-soft" title={session.name ?? session.id}>
              {session.name ?? session.id}
            </span>
            {session.scopes.join(', ')} · {bounds.join(' / ')}
            {session.expires_at !== null && (
              <span className="block">
                ends <When at={session.expires_at} />
              </span>
            )}
          </p>
          <Button size="icon" look="quiet" aria-label="Sign out" onClick={() => void leave()}>
            <LogOut aria-hidden />
          </Button>
        </div>
      ) : (
        <p>Open without a key, to this machine only.</p>
      )}
      <label className="flex items-center justify-between gap-2">
        Colours
        <select
          value={theme}
          onChange={(event) => chooseTheme(THEMES.find((one) => one === event.target.value) ?? 'system')}
          className="h-7 rounded border border-edge/60 bg-surface px-1 text-soft"
        >
          {THEMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
