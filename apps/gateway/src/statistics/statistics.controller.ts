import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Access } from '../access/access.decorator.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { CurrentStatistics } from './current-statistics.js';
import { StatisticsStreams } from './statistics-streams.js';
import {
  type StatisticsAnswer,
  statisticsAnswer,
  StatisticsQuery,
  StreamStatisticsQuery,
} from './statistics.wire.js';

const MEDIA = 'text/event-stream';

/** What the deployment did in the last hour, by minute, and which processes run. */
@Tagged('Statistics')
@Controller('api/v2/statistics')
export class StatisticsController {
  constructor(
    private readonly statistics: CurrentStatistics,
    private readonly streams: StatisticsStreams,
  ) {}

  @Get()
  @Access('read', { tenantFrom: 'deployment' })
  @Documented({
    name: 'get_statistics',
    summary: 'Shows what the deployment did in the last hour, by minute, and which processes run.',
    description:
      'For keys that are bound to no organization: the figures are of all organizations together. Processes keep them in memory and tell them to every gateway every 5 seconds, so that each gateway answers the same; what a process had not told when it was killed is lost. For longer times and for alerts there are the metrics.',
    answer: statisticsAnswer,
  })
  get(@Query() query: StatisticsQuery): StatisticsAnswer {
    return this.statistics.of(query.minutes);
  }

  @Get('stream')
  @Access('read', { tenantFrom: 'deployment', isEndless: true })
  @Documented({
    name: 'stream_statistics',
    summary: 'Streams the statistics every 5 seconds, as server-sent events.',
    description:
      'Each message has the `event` `statistics` and as `data` what `GET /api/v2/statistics` answers at that moment: it replaces the one before. A stream counts as one of the streams of events of its key, and ends within 5 seconds when the key does.',
    media: MEDIA,
    answer: Type.String(),
  })
  stream(
    @Query() query: StreamStatisticsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): StreamableFile {
    const frames = this.streams.open(query, request, reply);
    void reply.header('cache-control', 'no-cache').header('x-accel-buffering', 'no');
    return new StreamableFile(Readable.from(frames), { type: MEDIA });
  }
}
