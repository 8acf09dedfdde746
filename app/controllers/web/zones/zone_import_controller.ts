import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import interfaceSettings from '#config/interface'
import { sendFile } from '#controllers/api/zones/zone_file_controller'
import type { Intent } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { applyReviewed, reviewedPage, type Reviewed } from '#controllers/web/review/reviewed_page'
import { formatOf, type TextFormat } from '#dns/paste/read_records'
import { isReverseZone } from '#dns/names'
import { importForm } from '#validators/web/zone_text'
import { dryRun } from '#web/plans/planned'
import { denialsOf } from '#web/accounts/denial'
import { planView, withoutWarnings } from '#web/plans/plan_view'
import { problemsOf, importPreview, type ShownProblem } from '#web/zones/import_preview'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneFiles, type ImportOptions } from '#zones/zone_file/export'

/** Maximum of pasted text that the form repeats; a longer file must be chosen again. */
const MAX_REPEATED = 1_048_576

type Form = Infer<typeof importForm>

/** /zones/{id}/import, /zones/{id}/export: zones as files. */
@inject()
export default class ZoneImportController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly files: ZoneFiles
  ) {}

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    return importPage(ctx, openedZone, {})
  }

  async export(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const format = ctx.request.qs().format === 'csv' ? 'csv' : 'text'
    return sendFile(ctx, openedZone, format, await this.files.exported(openedZone, format))
  }

  /** The form with the submitted values. */
  async edit(ctx: HttpContext) {
    const { open, form } = await this.#form(ctx)
    return importPage(ctx, open, form)
  }

  async plan(ctx: HttpContext) {
    const { open, form } = await this.#form(ctx)
    const text = textOf(form)
    if (text.trim() === '') {
      return importPage(ctx, open, form, {
        problem: { status: 422, message: ctx.i18n.t('transfer.empty') },
      })
    }
    const options = optionsOf(form, text)
    try {
      const contents = await this.files.read(open, [text], options.format)
      const plan = await dryRun(ctx.actor, (intent) =>
        this.files.importContents(intent, open, contents, options)
      )
      const file = { format: options.format, file: form.file_name ?? '' }
      const preview = importPreview(text, file, contents)
      const reported = new Set(preview.warnings.map(({ message }) => message))
      return reviewedPage(ctx, open, {
        ...reviewedImport(open, text, options),
        plan: withoutWarnings(await planView(plan), reported),
        understood: preview,
      })
    } catch (error) {
      return refused(ctx, open, form, error)
    }
  }

  async apply(ctx: HttpContext) {
    const { open, form } = await this.#form(ctx)
    const text = textOf(form)
    const options = optionsOf(form, text)
    const reviewed = { ...reviewedImport(open, text, options), reason: form.reason }
    try {
      const write = (intent: Intent) => this.files.importZone(intent, open, [text], options)
      return await applyReviewed(ctx, open, form, write, reviewed)
    } catch (error) {
      return refused(ctx, open, form, error)
    }
  }

  async #form(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    return { open: openedZone, form: await ctx.request.validateUsing(importForm) }
  }
}

/** A file has precedence over pasted text. */
function textOf({ file, text = '' }: Form): string {
  return file || text
}

function optionsOf(form: Form, text: string): ImportOptions & { format: TextFormat } {
  const { format = 'auto', mode = 'merge', file_name: name } = form
  return {
    mode,
    format: format === 'auto' ? formatOf(text) : format,
    source: name || 'web',
  }
}

function reviewedImport(
  { zone }: OpenZone,
  text: string,
  { mode, format, source }: ImportOptions & { format: TextFormat }
): Omit<Reviewed, 'plan'> {
  const path = `/zones/${zone.id}/import`
  return {
    tab: 'transfer',
    action: `${path}/apply`,
    fields: { text, mode, format, file_name: source },
    back: { action: path },
  }
}

/** The form with its errors; rethrows errors with their own page. */
function refused(ctx: HttpContext, openedZone: OpenZone, form: Form, error: unknown) {
  const problem = formProblem(ctx, error)
  const problems = problemsOf(error, textOf(form)) ?? []
  return importPage(ctx, openedZone, form, { problem, problems })
}

function importPage(
  ctx: HttpContext,
  openedZone: OpenZone,
  form: Form,
  state: { problem?: FormProblem; problems?: ShownProblem[] } = {}
) {
  const text = textOf(form)
  ctx.response.status(state.problem?.status ?? 200)
  return ctx.view.render('pages/zones/records/import', {
    zone: zoneHead(ctx.actor, openedZone, 'transfer'),
    text: text.length > MAX_REPEATED ? '' : text,
    isCut: text.length > MAX_REPEATED,
    format: form.format ?? 'auto',
    mode: form.mode ?? 'merge',
    problem: state.problem ?? null,
    problems: state.problems ?? [],
    megabytes: Math.floor(interfaceSettings.max_upload_bytes / 1_048_576),
    isForward: !isReverseZone(openedZone.zone.name),
    denials: denialsOf(ctx.actor, {
      template: { action: 'zone_template.create', isGlobal: false },
      clone: { action: 'zone.create', kind: 'MASTER' },
    }),
    canCreatePtrs: interfaceSettings.add_reverse_record,
  })
}
