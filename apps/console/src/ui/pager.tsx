import { Button } from './button.js';

interface PagerProps {
  /** The page that is shown, from 0. */
  readonly page: number;
  readonly pageSize: number;
  /** Entries on all pages; undefined while it is not known. */
  readonly total: number | undefined;
  readonly onTurn: (page: number) => void;
}

/** Goes through the pages of a list; nothing where there is one page. */
export function Pager({ page, pageSize, total = 0, onTurn }: PagerProps) {
  const pages = Math.max(page + 1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  return (
    <p className="flex items-center gap-3 text-sm text-muted">
      <Button size="small" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        Back
      </Button>
      page {page + 1} of {pages}
      <Button size="small" disabled={page + 1 >= pages} onClick={() => onTurn(page + 1)}>
        On
      </Button>
    </p>
  );
}
