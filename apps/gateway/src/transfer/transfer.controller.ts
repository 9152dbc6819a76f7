import { Readable } from 'node:stream';
import { type OrganizationAccess } from '@loci/contracts';
import {
  Controller,
  Get,
  HttpCode,
  Post,
  Query,
  Req,
  Res,
  StreamableFile,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Access } from '../access/access.decorator.js';
import { CurrentCaller, OrganizationRights } from '../access/caller.decorator.js';
import { type Caller } from '../access/caller.js';
import { ownerOf } from '../capacity/owner.js';
import { streamOf } from '../http/stream-of.js';
import { Documented, Tagged } from '../docs/documented.decorator.js';
import { tenantOf } from '../wire/tenant.wire.js';
import { ProjectExport } from './project-export.js';
import { type ImportProgress, ProjectImport } from './project-import.js';
import { ExportQuery, type ImportAnswer, importAnswer, ImportQuery } from './transfer.wire.js';

const LINES = 'application/x-ndjson';

/** Whole projects out and in, as JSON Lines. */
@Tagged('Projects')
@Controller('api/v2/projects')
export class TransferController {
  constructor(
    private readonly exports: ProjectExport,
    private readonly imports: ProjectImport,
  ) {}

  @Get('export')
  @Access('read', { organization: 'read' })
  @Documented({
    name: 'export_project',
    summary: 'Writes a project out as JSON Lines.',
    description:
      'The first line is the project, the last one is of kind `end`. In between come the set types, category templates, configured sets and categories, then the episodes, oldest first, then the features with what they cite. If the last line is missing, ask again with the `cursor` of the last line that arrived. Whatever was there at the beginning and is not deleted meanwhile is written once; what is added or changed meanwhile may be missing. Of what belongs to the organization as a whole, the structure is written, and those features that a client wrote or that cite an episode of the project; nothing of it for a key of one project. What only an administrator may choose is not written (`trusted_producers`, `facts_of`, `keep_calls_days`, `keep_call_texts`): choose it in the other project before the import.',
    media: LINES,
    answer: Type.String(),
    errors: ['project_not_found'],
  })
  async export(
    @Query() query: ExportQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Req() { lease }: FastifyRequest,
  ): Promise<StreamableFile> {
    const request = { tenant: tenantOf(query), organization, asOf: query.as_of };
    const lines = await this.exports.open(request, query.after, lease);
    return new StreamableFile(streamOf(lines), { type: LINES });
  }

  @Post('import')
  @HttpCode(200)
  @Access('write', { tenantFrom: 'query', takesLines: true, organization: 'change' })
  @Documented({
    name: 'import_project',
    summary: 'Reads an export in: what the project does not have yet is added, the rest stays as it is.',
    description:
      'Importing the same lines again adds nothing, so an import that broke off is simply repeated, from the beginning or from the line behind `x-lines-taken`. A body may be any part of an export, cut between lines. The project is made as the first line says unless it exists. Episodes and features of another project get uids of their own, always the same ones, and features cite the episodes under these. What an episode was `ingested` for is not learned from it again; for other sets, and where that is missing, it is learned from as from a new one. Lines of what belongs to the organization as a whole take a key of the organization with the scope admin that is bound to no producer.',
    takes: LINES,
    answer: importAnswer,
    headers: {
      'x-lines-taken':
        'Lines from the beginning that are stored for good; refusals have it, too, and the line behind these is the one that is refused.',
    },
    errors: [
      'project_not_found',
      'project_being_deleted',
      'set_not_found',
      'category_not_found',
      'producer_not_allowed',
      'quota_exceeded',
    ],
  })
  async import(
    @Query() query: ImportQuery,
    @OrganizationRights() organization: OrganizationAccess,
    @Req() request: FastifyRequest,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportAnswer> {
    const { body, lease } = request;
    const owner = ownerOf(request).org;
    const target = { tenant: tenantOf(query), owner, organization, caller, lease };
    if (!(body instanceof Readable)) throw new UnsupportedMediaTypeException();
    const progress: ImportProgress = { lines: 0, added: 0, existing: 0, skipped: 0 };
    try {
      // a stream that is destroyed takes the connection with it, and the refusal could not be sent
      await this.imports.run(target, body.iterator({ destroyOnReturn: false }), progress);
      return progress;
    } finally {
      void reply.header('x-lines-taken', progress.lines);
    }
  }
}
