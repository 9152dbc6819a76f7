import { oneOf } from '../resources/field-readers.js';
import { type Fields, optional } from '../resources/fields.js';
import { DEFAULT_LOCAL_MODEL } from './local-model.js';

export const localEmbedderFields = {
  model: optional(oneOf('all-minilm-l6-v2', 'gte-small'), DEFAULT_LOCAL_MODEL),
} satisfies Fields;
