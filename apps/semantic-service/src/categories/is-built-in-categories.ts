import { ValidateBy } from 'class-validator';
import { BUILT_IN_CATEGORIES, builtInNames } from './built-in/built-in-categories.js';

/** An environment variable that names built-in categories, with commas between them. */
export const IsBuiltInCategories = (): PropertyDecorator =>
  ValidateBy({
    name: 'isBuiltInCategories',
    validator: {
      validate: (value) =>
        typeof value === 'string' && builtInNames(value).every((name) => BUILT_IN_CATEGORIES.has(name)),
      defaultMessage: () => `$property must name some of ${[...BUILT_IN_CATEGORIES.keys()].join(', ')}`,
    },
  });
