import { Module } from '@nestjs/common';
import { VectorsModule } from '../vectors/vectors.module.js';
import { Embedders } from './embedders.js';
import { IndexSpaces } from './index-spaces.js';
import { IndexSpacesRepository } from './index-spaces.repository.js';
import { MovesRepository } from './moves.repository.js';
import { PostgresIndexSpacesRepository } from './postgres-index-spaces.repository.js';
import { PostgresMovesRepository } from './postgres-moves.repository.js';

@Module({
  imports: [VectorsModule],
  providers: [
    Embedders,
    IndexSpaces,
    { provide: IndexSpacesRepository, useClass: PostgresIndexSpacesRepository },
    { provide: MovesRepository, useClass: PostgresMovesRepository },
  ],
  exports: [VectorsModule, Embedders, IndexSpaces, IndexSpacesRepository, MovesRepository],
})
export class SpacesModule {}
