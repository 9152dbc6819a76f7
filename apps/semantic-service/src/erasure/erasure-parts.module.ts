import { Global, Module } from '@nestjs/common';
import { ErasureParts } from './erasure-parts.js';

/** For whoever keeps data of projects or episodes. */
@Global()
@Module({ providers: [ErasureParts], exports: [ErasureParts] })
export class ErasurePartsModule {}
