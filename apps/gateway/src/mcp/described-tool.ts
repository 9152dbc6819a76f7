import { type Tool } from '@modelcontextprotocol/sdk/types.js';
import { type WireLimits } from '../wire/schema/wire-limits.js';
import { type McpTool } from './mcp-tool.js';
import { inputSchema, outputSchema } from './tool-schema.js';

const known = new WeakMap<McpTool, Tool>();

/** A tool as clients see it. Its schemas are made once: all of them take milliseconds, and one batch may ask 32 times. */
export function described(tool: McpTool, limits: WireLimits): Tool {
  const before = known.get(tool);
  if (before) return before;
  const now = describe(tool, limits);
  known.set(tool, now);
  return now;
}

function describe(tool: McpTool, limits: WireLimits): Tool {
  const { name, title, description, access, replaces = false, isIdempotent = false } = tool;
  const readOnlyHint = access === 'read';
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.arguments.schema, limits),
    outputSchema: outputSchema(tool.answer, limits),
    annotations: {
      title,
      readOnlyHint,
      destructiveHint: replaces,
      idempotentHint: readOnlyHint || isIdempotent,
      openWorldHint: false,
    },
  };
}
