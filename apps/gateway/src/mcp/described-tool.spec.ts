import { expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { GatewayEnv } from '../env.js';
import { described } from './described-tool.js';
import { type McpTool } from './mcp-tool.js';

test('the schemas of a tool are made once, however often it is listed', () => {
  let reads = 0;
  const shape = Type.Object({});
  const tool = {
    name: 'search_memory',
    access: 'read',
    answer: shape,
    arguments: {
      get schema() {
        reads += 1;
        return shape;
      },
    },
  } as unknown as McpTool;
  const limits = new GatewayEnv();
  const first = described(tool, limits);
  const readOnce = reads;
  expect(described(tool, limits)).toBe(first);
  expect(reads).toBe(readOnce);
  expect(first).toMatchObject({ name: 'search_memory', annotations: { readOnlyHint: true } });
});
