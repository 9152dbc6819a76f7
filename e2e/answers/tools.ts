import { type ApiDocument } from '../harness/api-document.js';
import { type Json, parse } from '../harness/client.js';
import { exchange } from './exchange.js';
import { toolCall } from './requests.js';
import { PROJECT } from './world.js';

const TOOLS = [
  'add_memory',
  'search_memory',
  'get_context',
  'list_memories',
  'correct_memory',
  'delete_memory',
  'list_conflicts',
  'settle_conflict',
] as const;
export type Tool = (typeof TOOLS)[number];

/** The operations that refuse what a tool fails at. */
const ROUTES: Readonly<Record<Tool, readonly string[]>> = {
  add_memory: ['add_memories'],
  search_memory: ['search_memories'],
  get_context: ['get_context'],
  list_memories: ['list_memories'],
  correct_memory: ['update_feature'],
  delete_memory: ['delete_episodic_memory', 'delete_semantic_memory'],
  list_conflicts: ['list_conflicts'],
  settle_conflict: ['settle_conflict'],
};

/** Refusals of what an operation does; others are of the request, which is the same one for all tools. */
const OF_THE_WORK = /^(?:404|409 project_|5)/;

/** No tool names a category or a set. */
const OF_OTHERS = ['404 category_not_found', '404 set_not_found'];

const NOBODYS = ['01939000-0000-7000-8000-000000000000'];

const GIVEN: Readonly<Record<Tool, object>> = {
  add_memory: { content: 'x' },
  search_memory: { query: 'x' },
  get_context: { query: 'x' },
  list_memories: {},
  correct_memory: { semantic_memory_uid: '01939000-0000-7000-8000-000000000000', value: 'x' },
  delete_memory: { episodic_memory_uids: NOBODYS, semantic_memory_uids: NOBODYS },
  list_conflicts: {},
  settle_conflict: { semantic_memory_uid: '01939000-0000-7000-8000-000000000000' },
};

/** The failures of the tools of MCP, by the names that such refusals have in the document. */
export class ToolTrial {
  private readonly seen = ofEach(() => new Set<string>());

  constructor(
    private readonly document: ApiDocument,
    private readonly url: string,
  ) {}

  /**
   * Calls every tool.
   * @param given instead of the arguments that would do
   * @returns how each fails
   */
  async failures(token: string, given: object = {}, url = this.url): Promise<Partial<Record<Tool, string>>> {
    const failures = TOOLS.map(async (tool) => {
      const failure = await this.failureOf(url, token, tool, given);
      if (failure !== undefined) this.seen[tool].add(failure);
      return [tool, failure];
    });
    const known = (await Promise.all(failures)).filter(([, failure]) => failure !== undefined);
    return Object.fromEntries(known) as Partial<Record<Tool, string>>;
  }

  /** What each tool has not failed with, although the operations that do its work refuse it. */
  get unseen(): Record<Tool, string[]> {
    const left = TOOLS.map((tool) => {
      const routes = this.document.operations.filter(({ operationId }) => ROUTES[tool].includes(operationId));
      const documented = routes.flatMap((operation) => this.document.answersOf(operation));
      const names = new Set(documented.filter((name) => OF_THE_WORK.test(name) && !OF_OTHERS.includes(name)));
      return [tool, [...names].filter((name) => !this.seen[tool].has(name))];
    });
    return Object.fromEntries(left) as Record<Tool, string[]>;
  }

  /** @returns undefined when the tool does not fail */
  private async failureOf(
    url: string,
    token: string,
    tool: Tool,
    given: object,
  ): Promise<string | undefined> {
    const mcp = this.document.operations.find(({ operationId }) => operationId === 'mcp');
    if (!mcp) throw new Error('The document has no MCP.');
    const project = { org_id: PROJECT.org_id, proj_id: PROJECT.project_id };
    const call = toolCall(tool, { ...project, ...GIVEN[tool], ...given });
    const { text } = await exchange(url, mcp, { ...call, token });
    const result = parse(text)['result'] as Json | undefined;
    if (!result) throw new Error(`${tool} has no result: ${text}`);
    if (result['isError'] !== true) return undefined;
    const [content] = result['content'] as { text: string }[];
    const { status, code, detail, message } = parse(content?.text ?? '');
    if (detail === undefined || typeof message !== 'string')
      throw new Error(`${tool} gives no reason: ${text}`);
    return `${String(status)} ${String(code)}`;
  }
}

/** The same for every tool. */
export const ofEveryTool = (failure: string): Record<Tool, string> => ofEach(() => failure);

function ofEach<Value>(make: () => Value): Record<Tool, Value> {
  return Object.fromEntries(TOOLS.map((tool) => [tool, make()])) as Record<Tool, Value>;
}
