import { ACTOR_KINDS, type Author } from '@loci/contracts';
import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';

/** Who wrote something, as answers show it. */
export const authorAnswer = Type.Object(
  {
    kind: described(
      Type.Enum([...ACTOR_KINDS]),
      '`api-key`; `user`: a JWT; `static-token`: a token of the deployment; `system`: Loci itself.',
    ),
    id: Type.String({ description: 'As in the audit; the id of an API key, never its secret.' }),
    name: Type.Optional(
      Type.String({ description: 'What an API key is called; absent when that was not noted.' }),
    ),
    producer: Type.Optional(
      Type.String({
        description:
          'The only producer that an API key speaks for; absent when it speaks for any, or when that was not noted.',
      }),
    ),
  },
  {
    title: 'Author',
    description:
      'Who wrote it. Absent where callers do not have to say who they are, and in what an older version wrote.',
  },
);
export type AuthorAnswer = Static<typeof authorAnswer>;

export const fromAuthor = ({ kind, id, name, producer }: Author): AuthorAnswer => ({
  kind,
  id,
  ...(name !== undefined && { name }),
  ...(producer !== undefined && { producer }),
});
