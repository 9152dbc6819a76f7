import { readFileSync } from 'node:fs';

/** One way to use memory, as its document shows it. */
export interface Framework {
  readonly name: string;
  /** The document whose snippet is run. */
  readonly document: string;
  readonly language: 'bash' | 'python' | 'ts';
  /** The snippet: of this language the first that has this text; from those before it, the lines that begin with one of `also`. */
  readonly snippet: string;
  readonly also?: readonly string[];
  /** Where the remembered words are seen: in what the program prints, or in what the model is asked last. */
  readonly seenIn: 'output' | 'prompt';
  readonly remembered: string;
}

/** In the sequence of the table. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'HTTP (curl)',
    document: 'docs/guide/README.md',
    language: 'bash',
    snippet: '/api/v2/context',
    seenIn: 'output',
    remembered: 'window seats',
  },
  {
    name: '`@loci/client`',
    document: 'docs/guide/README.md',
    language: 'ts',
    snippet: 'memory.context',
    seenIn: 'output',
    remembered: 'true',
  },
  {
    name: 'AI SDK',
    document: 'libs/ai-sdk/README.md',
    language: 'ts',
    snippet: 'withMemory',
    seenIn: 'prompt',
    remembered: 'I like window seats.',
  },
  {
    name: 'LangChain chat history',
    document: 'libs/langchain/README.md',
    language: 'ts',
    snippet: 'LociChatMessageHistory',
    also: ["import { Loci } from '@loci/client'", 'const loci ='],
    seenIn: 'output',
    remembered: 'I like window seats.',
  },
  {
    name: 'LangGraph store',
    document: 'libs/langchain/README.md',
    language: 'ts',
    snippet: 'LociStore',
    seenIn: 'output',
    remembered: 'Alice likes window seats.',
  },
  {
    name: 'Mastra',
    document: 'libs/mastra/README.md',
    language: 'ts',
    snippet: 'LociMemory',
    seenIn: 'output',
    remembered: 'true',
  },
  {
    name: 'OpenAI Agents SDK',
    document: 'libs/openai-agents/README.md',
    language: 'ts',
    snippet: 'LociSession',
    seenIn: 'prompt',
    remembered: 'I like window seats.',
  },
  {
    name: 'MCP (SDK client)',
    document: 'docs/guide/mcp.md',
    language: 'ts',
    snippet: 'StreamableHTTPClientTransport',
    seenIn: 'output',
    remembered: 'true',
  },
  {
    name: 'Python client',
    document: 'clients/python/README.md',
    language: 'python',
    snippet: 'memory.context',
    seenIn: 'output',
    remembered: 'True',
  },
];

/** @throws Error when the document no longer shows it */
export function programOf({ name, document, language, snippet, also = [] }: Framework): string {
  const found = [...readFileSync(document, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  const blocks = found.filter(([, named]) => named === language).map(([, , code = '']) => code);
  const index = blocks.findIndex((code) => code.includes(snippet));
  const lines = blocks.slice(0, Math.max(index, 0)).flatMap((code) => code.split('\n'));
  const shown = also.map((begin) => lines.find((line) => line.startsWith(begin)));
  const program = [...shown, blocks[index]];
  if (program.includes(undefined)) throw new Error(`${document} does not show ${name} as it did.`);
  return program.join('\n');
}

/** Lines that are neither empty nor a comment. */
export const linesOf = (program: string): number =>
  program.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|#)/.test(line)).length;
