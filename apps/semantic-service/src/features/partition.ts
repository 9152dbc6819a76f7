/**
 * A partition of the features of a set. Ingestion reads messages of one partition at a time, is shown its features, and
 * changes no others: what a message makes a model do ends there.
 */
export interface Partition {
  /**
   * In a set of an organization: the project whose messages alone support the features. Absent for what clients wrote
   * there, for what several projects support, and in a set of a project.
   */
  readonly sourceProjectUid: string | undefined;
  /** Whether the messages are of trusted producers. What clients write is, too. */
  readonly isTrusted: boolean;
}

/** So many features more are enough for any group to be consolidated again. */
export const GROWTH = 20;

/** The features of one subject in one partition. */
export interface FeatureGroup {
  readonly subject: string | undefined;
  readonly partition: Partition;
  /** All of them; of a subject with very many those that were looked at. */
  readonly count: number;
  /** Of a subject with very many: since when as many as `GROWTH` have come. */
  readonly grownAt?: Date | undefined;
}

/** What clients write, and what is drawn from trusted messages in a set of a project. */
export const TRUSTED: Partition = { sourceProjectUid: undefined, isTrusted: true };

export const samePartition = (a: Partition, b: Partition): boolean =>
  a.sourceProjectUid === b.sourceProjectUid && a.isTrusted === b.isTrusted;

/** The partition in one text. */
export const partitionKey = ({ isTrusted, sourceProjectUid = '' }: Partition): string =>
  `${isTrusted ? 'trusted' : 'untrusted'}/${sourceProjectUid}`;

/** Parameters of `inPartition`. */
export const partitionValues = (
  partition: Partition | undefined,
): readonly [boolean | undefined, string | undefined] => [partition?.isTrusted, partition?.sourceProjectUid];

/**
 * SQL that holds for the rows of `features` of a partition; for all when its first parameter is NULL.
 * @param first number of the first of two parameters, see `partitionValues`
 */
export const inPartition = (first: number): string =>
  `($${first}::boolean IS NULL OR (features.is_trusted = $${first}
    AND features.source_project_uid IS NOT DISTINCT FROM $${first + 1}::uuid))`;

/** Each subject once, as parameters are: null for none. */
export const distinctSubjects = (subjects: readonly (string | undefined)[]): (string | null)[] => [
  ...new Set(subjects.map((subject) => subject ?? null)),
];
