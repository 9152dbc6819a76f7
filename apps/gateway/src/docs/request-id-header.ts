/** The header of every answer. */
export const REQUEST_ID = {
  'x-request-id': {
    description: 'The id of the request: the one that the client sent, or a new one.',
    required: true,
    schema: { type: 'string' },
  },
};
