/** A project by its names. */
export interface ProjectName {
  readonly org: string;
  readonly project: string;
}

export const named = ({ org, project }: ProjectName): { org_id: string; project_id: string } => ({
  org_id: org,
  project_id: project,
});
