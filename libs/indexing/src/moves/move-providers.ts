import { MoveKeeper } from './move-keeper.js';
import { MovePlanner } from './move-planner.js';
import { RetiredSpaces } from './retired-spaces.js';
import { SpaceBuilder } from './space-builder.js';

/**
 * The worker's side of changing embedders: begin to build, build, switch, remove what is left behind. For a module that
 * has the `ContentIndexer` and the `IndexedContent` of its service.
 */
export const MOVE_PROVIDERS = [MovePlanner, SpaceBuilder, RetiredSpaces, MoveKeeper];
