import { Link, useLocation } from '@tanstack/react-router';
import { Command, Menu } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Logo } from '../ui/logo.js';
import { Loading } from '../ui/states.js';
import { Account } from './account.js';
import { Allowed } from './allowed.js';
import { Offline } from './offline.js';
import { Palette } from './palette.js';
import { Sidebar } from './sidebar.js';

/** What surrounds every view. */
export function Shell() {
  // a new path: something of the menu was chosen
  const [menuAt, setMenuAt] = useState<string>();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [pathname]);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen((isOpen) => !isOpen);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[14rem_minmax(0,1fr)] md:grid-rows-1">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded bg-accent-fill px-3 py-1.5 text-white focus:translate-y-0"
      >
        Skip to the content
      </a>
      <header className="flex items-center gap-2 border-b border-line bg-surface px-3 py-2 md:hidden">
        <Button look="quiet" size="icon" aria-label="Menu" onClick={() => setMenuAt(pathname)}>
          <Menu aria-hidden />
        </Button>
        <Link to="/">
          <Logo />
        </Link>
        <Button
          look="quiet"
          size="icon"
          className="ml-auto"
          aria-label="Go to…"
          onClick={() => setPaletteOpen(true)}
        >
          <Command aria-hidden />
        </Button>
      </header>
      <aside className="hidden min-h-0 flex-col border-r border-line bg-surface md:flex">
        <Link to="/" className="px-4 pt-4 pb-2">
          <Logo />
        </Link>
        <Sidebar onSearch={() => setPaletteOpen(true)} />
        <Account />
      </aside>
      <main id="main" ref={main} tabIndex={-1} className="relative min-h-0 overflow-y-auto outline-none">
        <Offline />
        <Suspense fallback={<Loading />}>
          <Allowed />
        </Suspense>
      </main>
      <Dialog isOpen={menuAt === pathname} onClose={() => setMenuAt(undefined)} title="Menu" position="side">
        <Sidebar onSearch={() => setPaletteOpen(true)} />
        <Account />
      </Dialog>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}
