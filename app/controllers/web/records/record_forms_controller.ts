import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { requireView } from '#access/demand'
import { recordTag } from '#changes/model/etags'
import { reviewPage } from '#controllers/web/review/review_page'
import interfaceSettings from '#config/interface'
import { recordTypes } from '#dns/records/registry'
import { COMMENT_LIMIT } from '#dns/zonefile/index'
import { recordForm } from '#validators/web/zone_draft'
import { Drafts, draftProblem, type DraftProblem } from '#web/editor/drafts'
import { DraftConflicts } from '#web/editor/draft_conflicts'
import { recordView } from '#web/editor/record_view'
import { changeOf, type Draft } from '#web/editor/zone_draft'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneRecords } from '#zones/records/records'

/** Fields of the record form. */
interface Values {
  name?: string
  type?: string
  content?: string
  ttl?: string
  priority?: string
  disabled?: string | boolean
  comment?: string
  ptr?: string
  tag?: string
  /** JSON of the record when the form was loaded. */
  was?: string
  since?: string
}

/**
 * /zones/{id}/records/...: the editor without scripts. Each form leads to the plan of one change.
 */
@inject()
export default class RecordFormsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly records: ZoneRecords,
    private readonly drafts: Drafts,
    private readonly conflicts: DraftConflicts
  ) {}

  async create(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { copy, name, type } = ctx.request.qs() as Record<string, unknown>
    if (typeof copy === 'string') {
      requireView(ctx.actor, openedZone.facts)
      const values = await this.#valuesOf(openedZone, copy)
      return form(ctx, openedZone, { ...values, tag: undefined, was: undefined })
    }
    return form(ctx, openedZone, { name: textOr(name, ''), type: textOr(type, 'A'), content: '' })
  }

  async store(ctx: HttpContext) {
    return this.#plan(ctx, await this.#open(ctx), undefined)
  }

  async edit(ctx: HttpContext) {
    const openedZone = await this.#openVisible(ctx)
    return form(ctx, openedZone, await this.#valuesOf(openedZone, recordId(ctx)))
  }

  async update(ctx: HttpContext) {
    return this.#plan(ctx, await this.#open(ctx), recordId(ctx))
  }

  async destroy(ctx: HttpContext) {
    const openedZone = await this.#openVisible(ctx)
    const record = await this.records.find(openedZone, recordId(ctx))
    const draft: Draft = [{ action: 'delete', id: recordId(ctx), tag: recordTag(record) }]
    const planned = await this.drafts.plan(ctx.actor, openedZone, draft)
    return reviewPage(ctx, openedZone, { draft, planned })
  }

  #open(ctx: HttpContext): Promise<OpenZone> {
    return this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
  }

  /** For pages with a record: the right to write a zone does not include the right to view it. */
  async #openVisible(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.#open(ctx)
    requireView(ctx.actor, openedZone.facts)
    return openedZone
  }

  /** The fields of a stored record. Throws a 404 `Refusal` for a missing one. */
  async #valuesOf(openedZone: OpenZone, id: string): Promise<Values> {
    const storedRecord = await this.records.find(openedZone, id)
    const [comment] = await this.records.comments(openedZone, [storedRecord])
    const record = recordView(storedRecord, openedZone.zone.name, comment)
    const { ttlText, priority } = record
    const { lastEntry } = await this.directory.describe(openedZone.zone)
    return {
      ...record,
      ttl: ttlText,
      priority: priority === null ? '' : String(priority),
      was: record.data,
      since: String(lastEntry),
    }
  }

  /** The plan of a form, or the form with its errors. */
  async #plan(ctx: HttpContext, openedZone: OpenZone, id: string | undefined) {
    const values = await ctx.request.validateUsing(recordForm)
    let draft: Draft = []
    try {
      draft = [changeOf(values, id)]
      const planned = await this.drafts.plan(ctx.actor, openedZone, draft)
      return await reviewPage(ctx, openedZone, { draft, planned })
    } catch (error) {
      const problem = draftProblem(ctx.i18n, draft, error)
      if (!problem) {
        throw error
      }
      const conflicts = problem.isMoved
        ? await this.conflicts.find(ctx.actor, openedZone, draft)
        : []
      if (conflicts.length > 0) {
        return reviewPage(ctx, openedZone, { draft, planned: null, problem, conflicts })
      }
      return form(ctx, openedZone, values, problem)
    }
  }
}

function form(
  ctx: HttpContext,
  openedZone: OpenZone,
  values: Values,
  problem: DraftProblem | null = null
) {
  const isNew = ctx.params.recordId === undefined
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/records/record', {
    zone: zoneHead(ctx.actor, openedZone, 'records'),
    values,
    problem,
    isNew,
    action: `/zones/${openedZone.zone.id}/records/${isNew ? 'new' : `${recordId(ctx)}/edit`}`,
    mayPtr: interfaceSettings.add_reverse_record,
    commentLimit: COMMENT_LIMIT,
    types: recordTypes().map(({ type }) => type),
  })
}

function recordId({ params }: HttpContext): string {
  return String(params.recordId)
}

/** A parameter of the URL that is one string, else the default. */
function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}
