import { LociError } from '../errors.js';

export type WithSecret<Issued> = Issued & { readonly secret: string };

/**
 * A secret is in one answer alone: when that is lost on its way, the answer to the repeated request has none.
 * @throws LociError `secret_lost`
 */
export async function shownOnce<Issued extends { readonly id: string; readonly secret: string | null }>(
  issuing: Promise<Issued>,
): Promise<WithSecret<Issued>> {
  const issued = await issuing;
  const { id, secret } = issued;
  if (secret !== null) return { ...issued, secret };
  throw new LociError(
    200,
    'secret_lost',
    `The answer with the secret of ${id} was lost. Rotate it: the answer has a new secret.`,
  );
}
