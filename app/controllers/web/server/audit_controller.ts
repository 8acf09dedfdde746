import { addressId } from '#controllers/support/params'
import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'
import type { AuditArea } from '#access/rules/audit_rules'
import { demand } from '#access/demand'
import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditAction } from '#audit/actions'
import type { ChainPoint } from '#audit/chain'
import type { AuditFilter } from '#audit/filter'
import { countEvents, eventBatches, findEvent, listEvents } from '#audit/reader'
import { verifyLog } from '#audit/verifier'
import { auditFilter, readableAreas } from '#controllers/api/server/audit_controller'
import { eventType } from '#events/event'
import { notFound, Refusal } from '#exceptions/refusal'
import { auditItem } from '#transformers/audit'
import { verifyForm } from '#validators/web/operations'
import { auditLine, csvHead, eventLine, detailRows } from '#web/admin/audit_view'
import { addressWith, pageOf, pagerOf } from '#web/page/list_page'
import { zonedTimestamp } from '#web/format/date_input'
import { labelsOf, plainReason } from '#web/forms/api_error_text'
import { denialsOf } from '#web/accounts/denial'

const FILTERS = ['area', 'user', 'action', 'object', 'since', 'until'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Events per statement of an export. */
const EXPORT_BATCH_SIZE = 500
/** Maximum number of chain links that one request verifies. */
const VERIFY_BATCH_SIZE = 20_000
/** Maximum of findings on a page. */
const MAX_FINDINGS = 100

/** The prefixes of all event types. */
const EVERY_TYPE = [
  ...new Set(
    Object.keys(AUDIT_ACTIONS).flatMap((action) => eventType(action)?.split('.')[0] ?? [])
  ),
].join(',')

/** /audit: sign-ins, refusals and changes. */
export default class AuditController {
  async index(ctx: HttpContext) {
    const areas = readableAreas(ctx.actor)
    const filters = filtersOf(ctx)
    const page = pageOf(ctx)
    const pageMembers = {
      filters,
      areas,
      actions: choicesOf(areas),
      isNarrowed: Object.values(filters).some(Boolean),
      ...denialsOf(ctx.actor, { verifyDenial: ALL_EVENTS }),
      exports: ['csv', 'jsonl'].map((format) => ({
        format,
        href: addressWith(ctx, { format }).replace('/audit', '/audit/export'),
      })),
    }
    try {
      const { within, filter } = asked(ctx, areas, filters)
      const total = await countEvents(within, filter)
      const events = await listEvents(within, filter, { offset: page.offset, limit: page.size })
      const seesZones = areas.includes('zones')
      return ctx.view.render('pages/audit/index', {
        ...pageMembers,
        events: events.map((event) => auditLine(auditItem(event, seesZones))),
        pager: pagerOf(ctx, page, total, events.length),
        problem: null,
        // A filtered list, or a later page, does not need live updates.
        live: pageMembers.isNarrowed || page.number > 1 ? undefined : EVERY_TYPE,
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error
      ctx.response.status(422)
      const emptyList = {
        events: [],
        pager: pagerOf(ctx, page, 0, 0),
        problem: plainReason(error.message, labelsOf(ctx, 'audit', FILTERS)),
        live: undefined,
      }
      return ctx.view.render('pages/audit/index', { ...pageMembers, ...emptyList })
    }
  }

  /** One event with all details. */
  async show(ctx: HttpContext) {
    const areas = readableAreas(ctx.actor)
    const event = await findEvent(areas, addressId(ctx))
    if (!event) {
      throw notFound('Event not found')
    }
    const item = auditItem(event, areas.includes('zones'))
    const { meaning = null } = AUDIT_ACTIONS[item.action as AuditAction] ?? {}
    return ctx.view.render('pages/audit/show', {
      event: auditLine(item),
      meaning,
      position: item.position,
      hash: item.hash,
      rows: detailRows(item.detail),
    })
  }

  /** All events of the filter as a download, which is generated while it is sent. */
  async export(ctx: HttpContext) {
    const areas = readableAreas(ctx.actor)
    const { within, filter } = asked(ctx, areas, filtersOf(ctx))
    const isCsv = ctx.request.qs().format !== 'jsonl'
    const seesZones = areas.includes('zones')
    const batches = eventBatches(within, filter, EXPORT_BATCH_SIZE)
    async function* body() {
      if (isCsv) yield csvHead()
      for await (const events of batches) {
        const items = events.map((event) => auditItem(event, seesZones))
        yield items.map((item) => (isCsv ? eventLine(item) : `${JSON.stringify(item)}\n`)).join('')
      }
    }
    const { response, logger } = ctx
    response.header('Content-Type', isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
    response.header(
      'Content-Disposition',
      `attachment; filename="audit.${isCsv ? 'csv' : 'jsonl'}"`
    )
    const stream = Readable.from(body(), { objectMode: false, highWaterMark: 64 * 1024 })
    stream.once('error', (error) =>
      logger.error({ err: error }, 'Export of the audit log interrupted')
    )
    stream.once('close', () => void batches.return().catch(() => {}))
    response.stream(stream)
  }

  /** Explanation and start of the verification. */
  verify(ctx: HttpContext) {
    demandVerify(ctx)
    return ctx.view.render('pages/audit/verify', { result: null, kept: '', problem: null })
  }

  /** Verifies a part of the chain, and shows a form for the next one. */
  async check(ctx: HttpContext) {
    demandVerify(ctx)
    const form = await ctx.request.validateUsing(verifyForm)
    const expectedText = form.kept?.trim() ?? ''
    const expected = expectedText === '' ? null : pointIn(expectedText)
    if (expectedText !== '' && !expected) {
      ctx.response.status(422)
      const problem = ctx.i18n.t('audit.kept_wrong')
      return ctx.view.render('pages/audit/verify', { result: null, kept: expectedText, problem })
    }
    const from = pointIn(`${form.position ?? ''}:${form.hash ?? ''}`) ?? undefined
    const result = await verifyLog(expected, { from, rowLimit: VERIFY_BATCH_SIZE })
    const before = from && /^\d{1,15}$/.test(form.verified ?? '') ? Number(form.verified) : 0
    return ctx.view.render('pages/audit/verify', {
      result: {
        ...result,
        verified: before + result.verified,
        findings: result.findings.slice(0, MAX_FINDINGS),
        count: result.findings.length,
        end: result.head && `${result.head.position}:${result.head.hash}`,
      },
      kept: expectedText,
      problem: null,
    })
  }
}

function filtersOf({ request }: HttpContext): Filters {
  const words = request.qs() as Record<string, string | undefined>
  return Object.fromEntries(FILTERS.map((name) => [name, words[name] ?? ''])) as Filters
}

/** The areas and the filter of the URL. Throws a 400 `Refusal`. */
function asked(
  { preferences }: HttpContext,
  areas: AuditArea[],
  { area, since, until, ...words }: Filters
): { within: AuditArea[]; filter: AuditFilter } {
  const inUtc = (field: string, text: string) =>
    text === '' ? '' : zonedTimestamp(field, text, preferences.timeZone)
  return {
    within: area === '' ? areas : areas.filter((one) => one === area),
    filter: auditFilter({ ...words, since: inUtc('since', since), until: inUtc('until', until) }),
  }
}

/** Prefixes of actions with their actions. */
function choicesOf(areas: AuditArea[]): { word: string; actions: string[] }[] {
  const actionNames = Object.entries(AUDIT_ACTIONS)
    .filter(([, { area }]) => areas.includes(area))
    .map(([name]) => name)
  const words = Map.groupBy(actionNames, (name) => name.split('.')[0])
  return [...words].map(([word, actions]) => ({ word, actions }))
}

/**
 * The chain contains all events. The area of administrators is checked first, so that a refusal
 * names it.
 */
const ALL_EVENTS = ['system' as const, ...AUDIT_AREAS].map((area) => ({
  action: 'audit.view' as const,
  area,
}))

function demandVerify({ actor }: HttpContext): void {
  ALL_EVENTS.forEach((request) => demand(actor, request))
}

function pointIn(text: string): ChainPoint | null {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined ? null : { position: Number(position), hash }
}
