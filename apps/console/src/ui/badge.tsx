import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps } from 'react';
import { cn } from './cn.js';

const badgeStyle = cva(
  'inline-flex max-w-full items-center gap-1 rounded px-1.5 py-px text-xs font-medium [&_svg]:size-3',
  {
    variants: {
      tone: {
        plain: 'bg-sunken text-soft',
        accent: 'bg-accent-wash text-accent',
        good: 'bg-good-wash text-good',
        warn: 'bg-warn-wash text-warn',
        bad: 'bg-bad-wash text-bad',
      },
    },
    defaultVariants: { tone: 'plain' },
  },
);

export type Tone = NonNullable<VariantProps<typeof badgeStyle>['tone']>;

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<'span'> & { readonly tone?: Tone | undefined }) {
  return <span className={cn(badgeStyle({ tone }), className)} {...rest} />;
}
