import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { Readable } from 'node:stream'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Intent } from '#changes/model/intent'
import { zoneTag } from '#changes/model/etags'
import { validBody } from '#controllers/support/request_body'
import { writeTerms } from '#controllers/support/write_terms'
import { joinYielding } from '#database/event_loop'
import { TEXT_FORMATS, type TextFormat } from '#dns/paste/read_records'
import { invalid } from '#exceptions/refusal'
import { bodyText } from '#middleware/body/body_reader'
import { success } from '#transformers/envelope'
import { changeDetailYielding } from '#transformers/plan'
import { importValidator } from '#validators/zone'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneFiles } from '#zones/zone_file/export'
import type { ImportMode } from '#zones/zone_file/import_actions'

type ImportBody = Infer<typeof importValidator>

/** Media types of a zone file as the body (RFC 4027). */
const ZONE_FILE_TYPES = ['text/dns', 'text/plain']
/** Media type of a table (RFC 7111). */
const TABLE_TYPE = 'text/csv'

type ExportFormat = 'json' | 'text' | 'csv'

/** Media type and suffix of an export. */
const FILE_FORMATS = {
  text: { type: 'text/dns', suffix: 'zone' },
  csv: { type: TABLE_TYPE, suffix: 'csv' },
} as const

/** /api/v2/zones/{id}/export and /import */
@inject()
export default class ZoneFileController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly files: ZoneFiles
  ) {}

  /** A zone file or a table if it is requested; else JSON with the zone file as a member. */
  async export(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const format = exportFormat(ctx)
    if (format === 'json') {
      const chunks = await this.files.exportZone(openedZone)
      return success({ zone_file: await joinYielding(chunks) }, 'Zone exported successfully')
    }
    return sendFile(ctx, openedZone, format, await this.files.exported(openedZone, format))
  }

  async import(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const body = await importBody(ctx)
    const { intent, condition } = writeTerms(ctx, body)
    const mode = body.mode ?? modeOf(ctx)
    const planHash = body.plan_hash ?? null
    const terms: Intent = { ...intent, planHash, review: 'file' }
    const options = { mode, source: 'api', condition, format: body.format }
    const outcome = await this.files.importZone(terms, openedZone, [body.zone_file], options)
    return answerOutcome(ctx, outcome, async (applied) => {
      const visible = await this.directory.visibleIds(ctx.actor, [applied.zone])
      ctx.response.header('ETag', zoneTag(applied))
      return success(
        { change: await changeDetailYielding([applied], visible) },
        'Zone imported successfully'
      )
    })
  }
}

/** Sends a zone as a download. */
export function sendFile(
  { response }: HttpContext,
  { zone }: OpenZone,
  format: keyof typeof FILE_FORMATS,
  chunks: AsyncIterable<string>
): void {
  const { type, suffix } = FILE_FORMATS[format]
  const name = `${zone.name.replace(/[^a-z0-9._-]/g, '-')}.${suffix}`
  response.header('Content-Type', `${type}; charset=utf-8`)
  response.header('Content-Disposition', `attachment; filename="${name}"`)
  response.stream(Readable.from(chunks))
}

function exportFormat({ request }: HttpContext): ExportFormat {
  const format = request.qs().format as string | undefined
  if (!format) {
    const accepted = request.accepts(['json', 'text/dns', TABLE_TYPE])
    return accepted === 'text/dns' ? 'text' : accepted === TABLE_TYPE ? 'csv' : 'json'
  }
  if (format !== 'json' && format !== 'text' && format !== 'csv') {
    throw invalid(`Query parameter 'format' must be json, text or csv, found ${quoteText(format)}`)
  }
  return format
}

/** A body that is a zone file, or JSON with a zone file as a member. */
async function importBody(ctx: HttpContext): Promise<ImportBody> {
  const [type] = (ctx.request.header('content-type') ?? '').split(';')
  const word = type.trim().toLowerCase()
  if (!ZONE_FILE_TYPES.includes(word) && word !== TABLE_TYPE) {
    return validBody(ctx, importValidator)
  }
  const format = word === TABLE_TYPE ? 'csv' : importFormat(ctx)
  return { zone_file: await bodyText(ctx), plan_hash: planHashOf(ctx), format }
}

function importFormat({ request }: HttpContext): TextFormat {
  const format = (request.qs().format as string | undefined) || 'zone'
  const known = TEXT_FORMATS.find((one) => one === format)
  if (!known) {
    const allowed = TEXT_FORMATS.join(', ')
    throw invalid(`Query parameter 'format' must be one of ${allowed}, found ${quoteText(format)}`)
  }
  return known
}

function planHashOf({ request }: HttpContext): string | undefined {
  return (request.qs().plan_hash as string | undefined) || undefined
}

function modeOf({ request }: HttpContext): ImportMode {
  const mode = (request.qs().mode as string | undefined) || 'replace'
  if (mode !== 'merge' && mode !== 'replace') {
    throw invalid(`Query parameter 'mode' must be merge or replace, found ${quoteText(mode)}`)
  }
  return mode
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
