import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { PostgresApiKeysRepository } from './postgres-api-keys.repository.js';

@Module({
  controllers: [ApiKeysController],
  providers: [ApiKeysService, { provide: ApiKeysRepository, useClass: PostgresApiKeysRepository }],
})
export class ApiKeysModule {}
