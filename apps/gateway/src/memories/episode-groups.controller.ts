import { groupEpisodes } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Access } from '../access/access.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import {
  fromGroup,
  GroupEpisodesBody,
  GROUPS_DESCRIPTION,
  type GroupsAnswer,
  groupsAnswer,
  toGroupEpisodes,
  writeGroupsCursor,
} from './episode-groups.wire.js';

/** Whom and what the messages of a project name. */
@Tagged('Memories')
@Controller(['api/v2/memories/episodic/groups', 'v2/memories/episodic/groups'])
export class EpisodeGroupsController {
  constructor(private readonly rpc: RpcClient) {}

  @Post()
  @HttpCode(200)
  @Access('read')
  @Documented({
    name: 'group_episodes',
    summary: 'Counts the messages of a project by user, session or producer, newest first.',
    description: GROUPS_DESCRIPTION,
    answer: groupsAnswer,
    optionalHeaders: { 'x-next-cursor': 'The `cursor` of the next page; absent on the last.' },
    errors: ['invalid_filter'],
  })
  async list(
    @Body() body: GroupEpisodesBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GroupsAnswer> {
    const { groups, next } = await this.rpc.call(groupEpisodes, toGroupEpisodes(body));
    if (next) void reply.header('x-next-cursor', writeGroupsCursor(next));
    return { groups: groups.map(fromGroup) };
  }
}
