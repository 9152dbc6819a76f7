import { cva } from 'class-variance-authority';

/** What leads somewhere, be it a link or a button: within a text, or as the name of an entry in a list. */
export const linkStyle = cva('text-accent underline-offset-2', {
  variants: { look: { text: 'underline', entry: 'text-left font-medium hover:underline' } },
  defaultVariants: { look: 'text' },
});
