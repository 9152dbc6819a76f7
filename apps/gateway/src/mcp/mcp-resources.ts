import { notFound } from '@loci/contracts';
import { Injectable } from '@nestjs/common';
import { requireTenant } from '../access/authorization.js';
import { quoted } from '../context/quoted.js';
import { ProfileBody } from '../context/profile.wire.js';
import { GatewayEnv } from '../env.js';
import { readRequest } from '../wire/schema/request.js';
import { type McpScope, scopeOf, userOf } from './mcp-identity.js';
import { McpReads } from './mcp-reads.js';
import { type NotedCall, type ToolCaller } from './mcp-tool.js';

const KINDS = {
  profile: {
    title: 'Profile',
    description: 'What is known of the user, by category, with the ids by which it can be corrected.',
  },
  recent: { title: 'Recent messages', description: 'The newest messages of the user, oldest first.' },
} as const;
type Kind = keyof typeof KINDS;

const OF_USER = /^loci:\/\/users\/([^/]+)\/(profile|recent)$/;
const OF_PROJECT = 'loci://recent';
const TYPE = { mimeType: 'text/markdown' };

/** A resource as clients see it. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export type McpResourceTemplate = Omit<McpResource, 'uri'> & { readonly uriTemplate: string };

/** What is remembered, as texts that a client can attach to a conversation. */
@Injectable()
export class McpResources {
  constructor(
    private readonly reads: McpReads,
    private readonly env: GatewayEnv,
  ) {}

  /** Those of the user whom the connection names; without one, what is recent in the project. */
  list(call: ToolCaller): McpResource[] {
    const user = userOf(call, this.env, {});
    if (user !== undefined) return kinds((kind) => ({ uri: uriOf(user, kind), ...about(kind) }));
    const { name, mimeType } = about('recent');
    const description = 'The newest messages of the project, oldest first.';
    return [{ uri: OF_PROJECT, name, title: 'Recent messages of everybody', description, mimeType }];
  }

  /** Where the connection names no user, any can be asked for. */
  templates(call: ToolCaller): McpResourceTemplate[] {
    if (userOf(call, this.env, {}) !== undefined) return [];
    return kinds((kind) => ({ uriTemplate: `loci://users/{user_id}/${kind}`, ...about(kind) }));
  }

  /** @throws AppError `memory_not_found` for a URI that the connection does not offer */
  async read(uri: string, call: NotedCall): Promise<{ uri: string; mimeType: string; text: string }> {
    const { kind, user } = this.named(uri, call);
    const scope = scopeOf(call, this.env, { user_id: user });
    call.note({ tenant: scope.tenant });
    requireTenant(call.caller, scope.tenant);
    const text = kind === 'recent' ? await this.reads.recent(scope) : await this.profile(scope);
    return { uri, ...TYPE, text };
  }

  private named(uri: string, call: ToolCaller): { kind: Kind; user: string | undefined } {
    const connected = userOf(call, this.env, {});
    if (uri === OF_PROJECT && connected === undefined) return { kind: 'recent', user: undefined };
    const [, written = '', kind] = OF_USER.exec(uri) ?? [];
    const user = decoded(written);
    const isOffered = user !== undefined && (connected === undefined || connected === user);
    if (kind === undefined || !isOffered) throw notFound('memory_not_found', `There is no resource ${uri}.`);
    return { kind: kind as Kind, user };
  }

  /** What is known of the user of the scope, with its ids; a sentence when nothing is. */
  async profile(scope: McpScope): Promise<string> {
    const { user = '' } = scope;
    const { orgId: org_id, projectId: project_id } = scope.tenant;
    const options = { from: 'arguments', limits: this.env } as const;
    const profile = await this.reads.profile(
      readRequest(ProfileBody, { org_id, project_id, user }, options),
      scope,
    );
    if (!profile || profile.text === '') return `Nothing is known of ${quoted(user)} yet.`;
    const ids = profile.citations.map(({ marker, id }) => `${marker} ${id}`);
    return [profile.text, '', '## Ids', ...ids].join('\n');
  }
}

const kinds = <Shown>(show: (kind: Kind) => Shown): Shown[] => (Object.keys(KINDS) as Kind[]).map(show);

const about = (kind: Kind) => ({ name: kind, ...KINDS[kind], ...TYPE });

const uriOf = (user: string, kind: Kind): string => `loci://users/${encodeURIComponent(user)}/${kind}`;

/** @returns undefined for what is not percent-encoded as a URI is */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
