import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';
import { Said } from './said.js';

/** Copies a text, and says that it did. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button size="small" look="quiet" onClick={() => void copy()} aria-live="polite">
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** Text to copy, such as a command. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line pr-1 pl-3">
        <span className="text-xs text-muted">{label}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0} aria-label={label} className="overflow-x-auto p-3 font-mono text-xs leading-relaxed">
        <Said text={text} />
      </pre>
    </div>
  );
}
