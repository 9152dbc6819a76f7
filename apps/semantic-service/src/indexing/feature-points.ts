import { encodeDocument } from '@loci/models';
import { type VectorPoint } from '@loci/vectors';
import { type Feature, featureText } from '../features/feature.js';

/**
 * The recipe by which a feature becomes a point. Raise it whenever the text or the lexical encoding changes: the reconciler
 * then rebuilds every point of an older recipe.
 */
const RECIPE = 1;

/** More changes than a feature will ever see. */
const REVISIONS = 1_000_000;

/** Grows with the recipe, and with every change of a feature. */
const pointVersion = (revision: number): number => RECIPE * REVISIONS + revision;

/** The same, of a row of features. */
export const POINT_VERSION_SQL = `${RECIPE * REVISIONS} + revision`;

/** Carries nothing to filter by: what holds for a feature depends on the episodes that it cites at the time. */
export const toPoint = (feature: IndexedFeature, dense: ArrayLike<number>): VectorPoint => ({
  id: feature.uid,
  dense,
  sparse: encodeDocument(featureText(feature)),
  version: pointVersion(feature.revision),
  payload: { metadata: {}, createdAt: feature.createdAt, fields: {} },
});

export type IndexedFeature = Feature & { readonly createdAt: string };
