import { Readable } from 'node:stream'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Intent } from '#changes/intent'
import { zoneTag } from '#changes/tags'
import { validBody } from '#controllers/api/request_body'
import { writeTerms } from '#controllers/api/write_terms'
import { zoneId } from '#controllers/api/zones_controller'
import { invalid } from '#exceptions/refusal'
import { bodyText } from '#middleware/body_reader'
import { success } from '#transformers/envelope'
import { changeDetail } from '#transformers/plan'
import { importValidator } from '#validators/zone_file'
import { ZoneDirectory } from '#zones/directory'
import { ZoneFiles } from '#zones/zone_file'
import type { ImportMode } from '#zones/zone_file_wishes'

type ImportBody = Infer<typeof importValidator>

/** Media types by which a body is a zone file itself (RFC 4027). */
const ZONE_FILE_TYPES = ['text/dns', 'text/plain']

/** /api/v2/zones/{id}/export and /import */
@inject()
export default class ZoneFileController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly files: ZoneFiles
  ) {}

  /** The zone file itself where that is asked for, else as a member of the answer. */
  async export(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const isFile = wantsFile(ctx)
    const chunks = await this.files.exportZone(open)
    if (!isFile) {
      return success({ zone_file: [...chunks].join('') }, 'Zone exported successfully')
    }
    const name = `${open.zone.name.replace(/[^a-z0-9._-]/g, '-')}.zone`
    ctx.response.header('Content-Type', 'text/dns; charset=utf-8')
    ctx.response.header('Content-Disposition', `attachment; filename="${name}"`)
    return ctx.response.stream(Readable.from(chunks))
  }

  async import(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const body = await importBody(ctx)
    const { intent, condition } = writeTerms(ctx, body)
    const mode = body.mode ?? modeOf(ctx)
    const planHash = body.plan_hash ?? null
    const terms: Intent = { ...intent, planHash, review: 'file' }
    const options = { mode, source: 'api', condition }
    const applied = await this.files.importZone(terms, open, [body.zone_file], options)
    const seen = await this.directory.seen(ctx.actor, [applied.zone])
    ctx.response.header('ETag', zoneTag(applied))
    return success({ change: changeDetail([applied], seen) }, 'Zone imported successfully')
  }
}

function wantsFile({ request }: HttpContext): boolean {
  const format = request.qs().format as string | undefined
  if (!format) {
    return request.accepts(['json', 'text/dns']) === 'text/dns'
  }
  if (format !== 'json' && format !== 'text') {
    throw invalid(`Query parameter 'format' must be json or text, found ${shown(format)}`)
  }
  return format === 'text'
}

/** A body that is a zone file, or one that has it as a member. */
async function importBody(ctx: HttpContext): Promise<ImportBody> {
  const [type] = (ctx.request.header('content-type') ?? '').split(';')
  return ZONE_FILE_TYPES.includes(type.trim().toLowerCase())
    ? { zone_file: await bodyText(ctx), plan_hash: planHashOf(ctx) }
    : validBody(ctx, importValidator)
}

function planHashOf({ request }: HttpContext): string | undefined {
  return (request.qs().plan_hash as string | undefined) || undefined
}

function modeOf({ request }: HttpContext): ImportMode {
  const mode = (request.qs().mode as string | undefined) || 'replace'
  if (mode !== 'merge' && mode !== 'replace') {
    throw invalid(`Query parameter 'mode' must be merge or replace, found ${shown(mode)}`)
  }
  return mode
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
