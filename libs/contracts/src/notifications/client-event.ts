import { type RecordedNotification } from './notification.contract.js';

/** What clients get: the `data` of a message of the stream of events, the body of a webhook. */
export interface ClientEvent {
  readonly id: string;
  /** A `NotificationType`, or `webhook.test`. */
  readonly type: string;
  readonly timestamp: string;
  /** Absent: the deployment. */
  readonly org_id?: string;
  /** Absent: the organization as a whole. */
  readonly project_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const clientEvent = ({
  id,
  type,
  at,
  orgId,
  projectId,
  data,
}: Omit<RecordedNotification, 'position' | 'projectUid' | 'type'> & {
  readonly type: string;
}): ClientEvent => ({
  id,
  type,
  timestamp: at,
  ...(orgId !== undefined && { org_id: orgId }),
  ...(projectId !== undefined && { project_id: projectId }),
  data,
});
