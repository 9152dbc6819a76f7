import { expect, test } from '@jest/globals';
import { type Schemas } from '@qdrant/js-client-rest';
import { speaksForCluster } from './cluster-state.js';

const enabled = (peers: number, leader: number | null = 1, thread = 'working'): Schemas['ClusterStatus'] =>
  ({
    status: 'enabled',
    peer_id: 1,
    peers: Object.fromEntries(Array.from({ length: peers }, (_, n) => [String(n), { uri: `http://p${n}` }])),
    raft_info: { term: 1, commit: 1, pending_operations: 0, leader, role: 'Follower', is_voter: true },
    consensus_thread_status: { consensus_thread_status: thread, last_update: '2026-01-01T00:00:00Z' },
    message_send_failures: {},
  }) as Schemas['ClusterStatus'];

test('a single node without a cluster speaks for itself', () => {
  expect(speaksForCluster({ status: 'disabled' }, 1)).toBe(true);
});

test('a node without a cluster does not speak for three', () => {
  expect(speaksForCluster({ status: 'disabled' }, 3)).toBe(false);
});

test('a node that founded a cluster of its own does not speak for three', () => {
  expect(speaksForCluster(enabled(1), 3)).toBe(false);
});

test('neither does one without a leader, or whose consensus has stopped', () => {
  expect(speaksForCluster(enabled(3, null), 3)).toBe(false);
  expect(speaksForCluster(enabled(3, 1, 'stopped'), 3)).toBe(false);
});

test('a node of a whole cluster does', () => {
  expect(speaksForCluster(enabled(3), 3)).toBe(true);
});
