/**
 * A condition on rows that are found by their keys, written so that no index has it. With the condition of a partial index the
 * planner may read all that is in that index instead, as it does where there was nothing in it when it looked.
 */
export const unindexed = (condition: string): string => `coalesce(${condition}, false)`;
