import { type Schemas } from '@qdrant/js-client-rest';

/**
 * Whether a Qdrant node speaks for its whole cluster: it knows of all peers, they have a leader, and its own consensus
 * works. A node whose volume was emptied, or that was cut off, fails this and must not be asked what is lost.
 * @param peers how many nodes the cluster has; 1 also stands for a node without a cluster
 */
export function speaksForCluster(state: Schemas['ClusterStatus'], peers: number): boolean {
  if (state.status === 'disabled') return peers <= 1;
  return (
    Object.keys(state.peers).length >= peers &&
    state.raft_info.leader != null &&
    state.consensus_thread_status.consensus_thread_status === 'working'
  );
}
