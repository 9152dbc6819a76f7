import { Module } from '@nestjs/common';
import { ProposalsRepository } from './proposals.repository.js';

/** Where proposals are kept. */
@Module({ providers: [ProposalsRepository], exports: [ProposalsRepository] })
export class ProposalsStoreModule {}
