import { Module } from '@nestjs/common';
import { LookAlikeNames } from './look-alike-names.js';
import { UsedNames } from './used-names.js';

/** For all that is kept under a name. */
@Module({ providers: [LookAlikeNames, UsedNames], exports: [LookAlikeNames] })
export class LookAlikeNamesModule {}
