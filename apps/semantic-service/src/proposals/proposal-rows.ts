import { type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText, SCHEMA } from '../database.js';
import { type Citation } from '../features/feature.js';
import { type StatedValidity } from '../features/validity.js';
import { type Proposal, type ProposedFeature } from './proposal.js';

/** The columns of `PROPOSAL_COLUMNS`. */
export const PROPOSAL_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid',
  set_id: 'text',
  org_id: 'text',
  project_uid: 'uuid?',
  source_project_uid: 'uuid?',
  command: narrowed<'update' | 'delete'>('text'),
  subject: 'text?',
  category: 'text',
  tag: 'text',
  name: 'text',
  value: 'text',
  features: narrowed<readonly ProposedFeature[]>('jsonb'),
  citations: narrowed<readonly Citation[]>('jsonb'),
  validity: narrowed<StatedValidity | null>('jsonb?'),
  job_id: 'text?',
  model: 'text?',
  at: narrowed<Instant>('text'),
});

export const PROPOSAL_COLUMNS = `proposal.uid, proposal.set_uid, sets.id AS set_id, proposal.org_id,
  proposal.project_uid, proposal.source_project_uid, proposal.command, proposal.subject, proposal.category, proposal.tag, proposal.name,
  proposal.value, proposal.features, proposal.citations, proposal.validity, proposal.job_id, proposal.model,
  ${instantText('proposal.created_at')} AS at`;

export const FROM_PROPOSALS = `FROM ${SCHEMA}.proposals AS proposal JOIN ${SCHEMA}.sets ON sets.uid = proposal.set_uid`;

export const toProposal = (row: RowOf<typeof PROPOSAL_ROW>): Proposal => ({
  uid: row.uid,
  location: { setUid: row.set_uid, orgId: row.org_id, projectUid: row.project_uid ?? undefined },
  setId: row.set_id,
  sourceProjectUid: row.source_project_uid ?? undefined,
  command: row.command,
  subject: row.subject ?? undefined,
  category: row.category,
  tag: row.tag,
  name: row.name,
  value: row.value,
  features: row.features,
  citations: row.citations,
  validity: row.validity ?? {},
  jobId: row.job_id ?? undefined,
  model: row.model ?? undefined,
  createdAt: row.at,
});
