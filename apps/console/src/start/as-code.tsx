import { Code } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { Dialog } from '../ui/dialog.js';
import { Select } from '../ui/field.js';
import { languagesOf } from './snippets.js';

interface AsCodeProps {
  /** Below the address of Loci. */
  readonly path: string;
  /** What was asked, at least once; each by the name of the settings with which it was. */
  readonly bodies: readonly (readonly [name: string, body: object])[];
}

/** What the page just asked, to be put into a program. */
export function AsCode({ path, bodies }: AsCodeProps) {
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState('');
  const { authentication: isKeyed } = useSession();
  const [name, body] = bodies.find(([one]) => one === picked) ?? bodies[0] ?? ['', {}];
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Code aria-hidden /> As code
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="This search as code">
        {bodies.length > 1 && (
          <Select
            aria-label="With which settings"
            className="mb-3 w-auto"
            value={name}
            options={bodies.map(([one]) => one)}
            onPick={setPicked}
          />
        )}
        <Snippets name="Language" snippets={languagesOf(path, body, { isKeyed })} />
      </Dialog>
    </>
  );
}

interface SnippetsProps {
  readonly name: string;
  /** By language. */
  readonly snippets: ReadonlyMap<string, string>;
}

/** The same thing in several languages. */
export function Snippets({ name, snippets }: SnippetsProps) {
  const [first = ''] = snippets.keys();
  return (
    <Tabs.Root defaultValue={first}>
      <Tabs.List aria-label={name} className="mb-2 flex flex-wrap items-center gap-1">
        <span className="mr-2 text-sm font-medium">{name}</span>
        {[...snippets.keys()].map((language) => (
          <Tabs.Trigger
            key={language}
            value={language}
            className="rounded-md px-2.5 py-1 text-sm text-soft data-[state=active]:bg-accent-wash data-[state=active]:text-accent"
          >
            {language}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {[...snippets].map(([language, text]) => (
        <Tabs.Content key={language} value={language}>
          <CodeBlock label={`${name}: ${language}`} text={text} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
