interface PartOfProps {
  readonly shown: number;
  /** How many there are, as far as it is known. */
  readonly total: number;
  /** What is counted: `keys`. */
  readonly what: string;
}

/** Says that there are more than a list shows; nothing where it is whole. */
export function PartOf({ shown, total, what }: PartOfProps) {
  if (total <= shown) return null;
  return (
    <p role="status" className="border-t border-line px-4 py-2 text-sm text-warn">
      These are {shown.toLocaleString('en')} of {total.toLocaleString('en')} {what}.
    </p>
  );
}
