/** A question of Maria about herself as another person asks it: "Where do I live?" is "Where does Maria live?" */
export const askedByAnother = (question: string): string =>
  question
    .replace(/\bdo I\b/gi, 'does Maria')
    .replace(/\bdid I\b/gi, 'did Maria')
    .replace(/\bam I\b/gi, 'is Maria')
    .replace(/\bwas I\b/gi, 'was Maria')
    .replace(/\bmy\b/g, "Maria's")
    .replace(/\bour\b/g, 'their')
    .replace(/\b(do|did) we\b/g, '$1 they')
    .replace(/\bI\b/g, 'she');
