import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Intent } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { applyReviewed, reviewedPage, type Reviewed } from '#controllers/web/review/reviewed_page'
import { formatOf, type TextFormat } from '#dns/paste/read_records'
import { joinYielding } from '#database/event_loop'
import { writeZoneFile } from '#dns/zonefile/index'
import { zoneTextForm } from '#validators/web/zone_text'
import { dryRun } from '#web/plans/planned'
import { planView, shownDiffs, type ShownDiffs } from '#web/plans/plan_view'
import { problemsOf, type ShownProblem } from '#web/zones/import_preview'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneFiles } from '#zones/zone_file/export'
import {
  MAX_TEXT_CHARACTERS,
  MAX_TEXT_RECORDS,
  ZoneChangedMeanwhile,
  ZoneTexts,
  type EditedText,
} from '#zones/zone_file/edit_as_text'

/** Maximum of lines of a conflict. */
const MAX_LINES = 300

/** State of the text page. */
interface TextState {
  edited: EditedText
  problems?: ShownProblem[]
  problem?: FormProblem | null
  conflicts?: ShownDiffs
  /** The text without the changes in conflict. */
  textWithoutConflicts?: string
}

/** /zones/{id}/text: a zone as the text of a zone file. */
@inject()
export default class ZoneTextController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly texts: ZoneTexts,
    private readonly files: ZoneFiles
  ) {}

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const text = await this.texts.read(openedZone)
    if (text === null) {
      return ctx.view.render('pages/zones/records/text_too_large', {
        zone: zoneHead(ctx.actor, openedZone, 'text'),
        records: MAX_TEXT_RECORDS,
        characters: MAX_TEXT_CHARACTERS,
      })
    }
    return textPage(ctx, openedZone, { edited: { base: text, text } })
  }

  /** The form with the submitted text. */
  async edit(ctx: HttpContext) {
    const { open, edited } = await this.#form(ctx)
    return textPage(ctx, open, { edited })
  }

  async plan(ctx: HttpContext) {
    const { open, edited } = await this.#form(ctx)
    try {
      const plan = await dryRun(ctx.actor, (intent) => this.texts.change(intent, open, edited))
      return reviewedPage(ctx, open, { ...reviewedText(open, edited), plan: await planView(plan) })
    } catch (error) {
      return refused(ctx, open, edited, error)
    }
  }

  async apply(ctx: HttpContext) {
    const { open, edited, form } = await this.#form(ctx)
    const reviewed = { ...reviewedText(open, edited), reason: form.reason }
    try {
      const write = (intent: Intent) => this.texts.change(intent, open, edited)
      return await applyReviewed(ctx, open, form, write, reviewed)
    } catch (error) {
      return refused(ctx, open, edited, error)
    }
  }

  /**
   * Problems of a text, and its records as lines of a zone file; called by scripts during editing.
   */
  async check(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const { text = '' } = await ctx.request.validateUsing(zoneTextForm)
    const format = formatOf(text)
    const { rrsets, comments, problems } = await this.files.read(openedZone, [text], format)
    const apex = openedZone.zone.name
    const lines =
      format === 'zone' ? '' : await joinYielding(writeZoneFile({ apex, rrsets, comments }))
    const [, , ...rest] = lines.split('\n')
    return {
      format,
      problems: problems.map(({ line, column, severity, message }) => {
        return { line, column: column ?? null, severity, message }
      }),
      lines: rest.join('\n'),
      note: formatMessage(ctx, format, rrsets.length),
    }
  }

  async #form(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const form = await ctx.request.validateUsing(zoneTextForm)
    const { base = '', text = '' } = form
    return { open: openedZone, form, edited: { base, text } }
  }
}

/** Message about a pasted text; empty for a zone file. */
function formatMessage({ i18n }: HttpContext, format: TextFormat, sets: number): string {
  const key = sets > 0 ? 'transfer.text_understood' : 'transfer.text_nothing_understood'
  return format === 'zone' ? '' : i18n.t(key, { format: i18n.t(`transfer.format_${format}`) })
}

function reviewedText({ zone }: OpenZone, edited: EditedText): Omit<Reviewed, 'plan'> {
  const path = `/zones/${zone.id}/text`
  return { tab: 'text', action: `${path}/apply`, fields: { ...edited }, back: { action: path } }
}

/** The form with the error of the text; rethrows errors with their own page. */
async function refused(ctx: HttpContext, openedZone: OpenZone, edited: EditedText, error: unknown) {
  if (error instanceof ZoneChangedMeanwhile) {
    return textPage(ctx, openedZone, {
      edited: { base: error.now, text: error.textWithAllEdits },
      textWithoutConflicts: error.textWithoutConflicts,
      conflicts: await shownDiffs(openedZone.zone.name, error.conflicts, { lines: MAX_LINES }),
      problem: { status: 412, message: ctx.i18n.t('transfer.text_moved') },
    })
  }
  const problem = formProblem(ctx, error)
  return textPage(ctx, openedZone, {
    edited,
    problem,
    problems: problemsOf(error, edited.text) ?? [],
  })
}

function textPage(ctx: HttpContext, openedZone: OpenZone, state: TextState) {
  const {
    edited,
    problem = null,
    problems = [],
    conflicts = null,
    textWithoutConflicts = '',
  } = state
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/records/text', {
    zone: zoneHead(ctx.actor, openedZone, 'text'),
    ...edited,
    problem,
    problems,
    conflicts,
    textWithoutConflicts,
  })
}
