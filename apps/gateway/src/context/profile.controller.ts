import { type OrganizationAccess, readProfile } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access } from '../access/access.decorator.js';
import { OrganizationRights } from '../access/caller.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { type ProfileAnswer, profileAnswer, ProfileBody, toProfile, toReadProfile } from './profile.wire.js';
import { SpokenUsers } from './spoken-users.js';

@Tagged('Memories')
@Controller(['api/v2/profile', 'v2/profile'])
export class ProfileController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly spoken: SpokenUsers,
  ) {}

  @Post()
  @HttpCode(200)
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'get_profile',
    summary: 'Gives what is known of a user, by category, within a token budget.',
    description:
      'Features about the user, and those of sets of the user (tags `producer_id` or `user_id`); nothing about others, and nothing that only others say. Within the budget, what changed last goes first. Stored text is quoted, as in a context. Empty of a user who said something of which nothing was learned; 422 of one of whom nothing was ever heard, most often a misspelt name.',
    answer: profileAnswer,
    errors: ['unknown_subject'],
  })
  async get(
    @Body() body: ProfileBody,
    @OrganizationRights() organization: OrganizationAccess,
  ): Promise<ProfileAnswer> {
    const request = toReadProfile(body, organization);
    const { features } = await this.spoken.orElse(request, () => this.rpc.call(readProfile, request), {
      features: [],
    });
    return toProfile(body, features);
  }
}
