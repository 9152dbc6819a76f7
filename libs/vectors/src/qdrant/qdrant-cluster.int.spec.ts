import { afterAll, expect, test } from '@jest/globals';
import { eventually, QdrantPeer } from '@loci/testing';
import { QdrantVectorIndex } from './qdrant-vector-index.js';

const peers: QdrantPeer[] = [];

async function newPeer(): Promise<QdrantPeer> {
  const peer = await QdrantPeer.create();
  peers.push(peer);
  return peer;
}

const indexAt = ({ url }: QdrantPeer): QdrantVectorIndex =>
  new QdrantVectorIndex({ url, prefix: 'test', fingerprint: 'model', dimensions: 4, peers: 2 });

afterAll(() => Promise.all(peers.map((peer) => peer.destroy())));

(QdrantPeer.isThere() ? test : test.skip)(
  'a peer that lost its volume and founded a cluster of its own is not believed',
  async () => {
    const [first, second] = [await newPeer(), await newPeer()];
    await first.start();
    await second.start({ through: first });
    await indexAt(second).ensureCollection();
    await eventually(() => indexAt(first).isLossCredible(), { what: 'the cluster is whole' });
    expect(await indexAt(first).exists()).toBe(true);

    await first.kill();
    await first.wipe();
    await first.start();
    expect(await indexAt(first).exists()).toBe(false);
    expect(await indexAt(first).isLossCredible()).toBe(false);
  },
);
