import { Module } from '@nestjs/common';
import { ConsumerRunner } from './consumer-runner.js';

/** For processes that consume messages. Something else has to provide a `DeadLetterSink` and `UnfinishedDeliveries` to all modules. */
@Module({ providers: [ConsumerRunner], exports: [ConsumerRunner] })
export class ConsumerModule {}
