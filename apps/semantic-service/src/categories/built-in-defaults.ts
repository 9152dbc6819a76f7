import { Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../env.js';
import { type SetKind } from '../sets/set-identity.js';
import { builtInCategories } from './built-in/built-in-categories.js';
import { type BuiltInCategory } from './category.js';

/** Which built-in categories sets have, by their kind: what the deployment has chosen. */
@Injectable()
export class BuiltInDefaults {
  private readonly byKind: Readonly<Record<SetKind, readonly BuiltInCategory[]>>;

  constructor(env: SemanticServiceEnv) {
    this.byKind = {
      project_set: builtInCategories(env.PROJECT_SET_CATEGORIES),
      set_type: builtInCategories(env.ORG_SET_CATEGORIES),
      user_set: builtInCategories(env.USER_SET_CATEGORIES),
      other_set: [],
    };
  }

  of(kind: SetKind): readonly BuiltInCategory[] {
    return this.byKind[kind];
  }
}
