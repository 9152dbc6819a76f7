import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { GatewayEnv } from '../env.js';
import { boundsFrom } from '../keys/keys.wire.js';
import { readRequest } from '../wire/schema/request.js';
import { EventStreams } from './event-streams.js';
import { EventsQuery, LastEventId } from './events.wire.js';

const MEDIA = 'text/event-stream';

/** What happens, as it happens. */
@Tagged('Events')
@Controller('api/v2/events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly env: GatewayEnv,
  ) {}

  @Get()
  @Access('read', { tenantFrom: 'caller', isEndless: true })
  @Documented({
    name: 'stream_events',
    summary: 'Streams what happens within the bounds of your key, as server-sent events.',
    description:
      'Each event has an `id` (where it is in the stream), an `event` (its type) and `data` (JSON: `id`, `type`, `timestamp`, `org_id`, `project_id`, `data`). A client that connects again with the header `Last-Event-ID` gets all that it missed, for as long as events are kept (`EVENT_RETENTION_HOURS`, 7 days); what is not kept any more is announced by the event `stream.reset`, and `stream.position` only says where the stream is. Events are told in the sequence in which they were recorded, each once on a connection. A comment comes at least every 15 seconds. Events of the organization as a whole are for keys that are bound to no project, those of the deployment (models) for keys with the scope admin that are bound to no organization. A key that ends closes its streams within a second.',
    media: MEDIA,
    answer: Type.String(),
    errors: ['project_not_found'],
  })
  async stream(
    @Query() query: EventsQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const named = readRequest(LastEventId, request.headers, { from: 'header', limits: this.env });
    const subscription = {
      within: boundsFrom(query, caller),
      types: query.types,
      after: named['last-event-id'] ?? query.last_event_id,
      follow: query.follow,
    };
    const frames = await this.streams.open(subscription, request, reply);
    void reply.header('cache-control', 'no-cache').header('x-accel-buffering', 'no');
    return new StreamableFile(Readable.from(frames), { type: MEDIA });
  }
}
