import { Type } from 'typebox';

/** A feature of semantic memory as search, list and get show it. */
export const featureAnswer = Type.Object(
  {
    set_id: Type.Optional(Type.String()),
    category: Type.String(),
    tag: Type.String(),
    feature_name: Type.String(),
    value: Type.String(),
    metadata: Type.Object(
      {
        id: Type.Optional(Type.String()),
        citations: Type.Optional(
          Type.Array(Type.String(), { description: 'Uids of the episodes that it rests on.' }),
        ),
        other: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      },
      { title: 'FeatureMetadata' },
    ),
  },
  { title: 'SemanticFeature' },
);
