import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { type ComponentProps, type MouseEvent } from 'react';
import { cn } from './cn.js';

export const buttonStyle = cva(
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-not-allowed aria-busy:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        plain: 'border-line bg-surface text-ink hover:bg-sunken',
        primary: 'border-transparent bg-accent-fill text-white hover:brightness-110',
        danger: 'border-transparent bg-bad-fill text-white hover:brightness-110',
        quiet: 'border-transparent bg-transparent text-soft hover:bg-sunken hover:text-ink',
      },
      size: { normal: 'h-8 px-3 text-sm', small: 'h-7 px-2 text-xs', icon: 'size-8' },
    },
    defaultVariants: { look: 'plain', size: 'normal' },
  },
);

/** Neither presses it nor sends its form. */
const refuse = (event: MouseEvent): void => event.preventDefault();

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  /** What it began is under way: it cannot be pressed again until then. */
  readonly isBusy?: boolean;
}

export function Button({ look, size, isBusy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={cn(buttonStyle({ look, size }), className)}
      // not `disabled`, which would take the focus from who pressed it
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy}
      onClick={isBusy ? refuse : onClick}
      {...rest}
    >
      {isBusy && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  );
}
