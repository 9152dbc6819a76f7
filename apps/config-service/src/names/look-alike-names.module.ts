import { Module } from '@nestjs/common';
import { LookAlikeNames } from './look-alike-names.js';

/** For all that is kept under a name. */
@Module({ providers: [LookAlikeNames], exports: [LookAlikeNames] })
export class LookAlikeNamesModule {}
