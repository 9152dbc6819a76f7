import { type Instant } from '@loci/contracts';
import { encodeDocument } from '@loci/models';
import { type PointFields, type VectorPoint } from '@loci/vectors';
import { type FeatureContent, featureText } from '../features/feature.js';

/**
 * The recipe by which a feature becomes a point. Raise it whenever the text, the lexical encoding or what points carry
 * changes: the reconciler then rebuilds every point of an older recipe.
 */
const RECIPE = 4;

/** A feature as the index has it. */
export interface IndexedFeature extends FeatureContent {
  readonly uid: string;
  /** See `Feature`. */
  readonly revision: number;
  readonly createdAt: Instant;
}

/** More changes than a feature will ever see. */
export const REVISIONS = 1_000_000;

/** Grows with the recipe, and with every change of a feature. */
const pointVersion = (revision: number): number => RECIPE * REVISIONS + revision;

/** The same, of a row of features. */
export const POINT_VERSION_SQL = `${RECIPE * REVISIONS} + revision`;

/**
 * What a point carries, besides its id and its time: a search filters by it inside the index. Not metadata and producers:
 * what is true of these depends on the episodes that the feature cites at the time.
 */
export const POINT_FIELDS: PointFields = {
  fields: new Set(['category_name', 'tag', 'feature_name', 'subject']),
  metadata: false,
};

export const toPoint = (feature: IndexedFeature, dense: ArrayLike<number>): VectorPoint => ({
  id: feature.uid,
  dense,
  sparse: encodeDocument(featureText(feature)),
  version: pointVersion(feature.revision),
  payload: {
    metadata: {},
    createdAt: feature.createdAt,
    fields: {
      category_name: feature.category,
      tag: feature.tag,
      feature_name: feature.name,
      ...(feature.subject !== undefined && { subject: feature.subject }),
    },
  },
});
