import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { appliedResult } from '#changes/model/outcome'
import { StalePlan } from '#changes/planning/plan_store'
import interfaceSettings from '#config/interface'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { applyTerms, reviewedView, type Reviewed } from '#controllers/web/review/reviewed_page'
import { formatOf, type TextFormat } from '#dns/paste/read_records'
import { apexOf } from '#dns/zonefile/index'
import { invalid } from '#exceptions/refusal'
import { newZoneFileForm } from '#validators/web/zone_text'
import { dryRun } from '#web/plans/planned'
import { ownersIn, ownersView } from '#web/forms/owner_fields'
import { goTo } from '#web/page/page'
import { planView, withoutWarnings } from '#web/plans/plan_view'
import { localized } from '#web/forms/localized_error'
import { problemsOf, importPreview, type ShownProblem } from '#web/zones/import_preview'
import { ZoneFiles } from '#zones/zone_file/export'
import { ZoneFromFile, type FromFileInput } from '#zones/lifecycle/create_from_file'

/** Maximum of pasted text that the form repeats; a longer file must be chosen again. */
const MAX_REPEATED = 1_048_576

const KINDS = ['MASTER', 'NATIVE'] as const
const PATH = '/zones/new/file'

type Form = Infer<typeof newZoneFileForm>

/** The requested zone with its source text. */
interface NewZone {
  input: FromFileInput & { name: string }
  text: string
  format: TextFormat
  source: string
  form: Form
}

/** /zones/new/file: a new zone from a file. */
@inject()
export default class ZoneFromFileController {
  constructor(
    private readonly files: ZoneFiles,
    private readonly creation: ZoneFromFile
  ) {}

  async create(ctx: HttpContext) {
    demandCreation(ctx.actor)
    return formPage(ctx, {})
  }

  /** The form with the submitted values. */
  async edit(ctx: HttpContext) {
    demandCreation(ctx.actor)
    return formPage(ctx, await ctx.request.validateUsing(newZoneFileForm))
  }

  async plan(ctx: HttpContext) {
    demandCreation(ctx.actor)
    const form = await ctx.request.validateUsing(newZoneFileForm)
    try {
      const newZone = await this.#newZoneIn(ctx, form)
      const contents = await this.#read(newZone)
      const plan = await dryRun(ctx.actor, (intent) =>
        this.creation.handle(intent, newZone.input, contents, newZone.source)
      )
      const file = { format: newZone.format, file: form.file_name ?? '' }
      const preview = importPreview(newZone.text, file, contents)
      const reported = new Set(preview.warnings.map(({ message }) => message))
      const planWithoutRepeats = withoutWarnings(await planView(plan), reported)
      return planPage(ctx, newZone, { plan: planWithoutRepeats, understood: preview })
    } catch (error) {
      return refused(ctx, form, error)
    }
  }

  async apply(ctx: HttpContext) {
    demandCreation(ctx.actor)
    const form = await ctx.request.validateUsing(newZoneFileForm)
    try {
      return await this.#createZone(ctx, form, await this.#newZoneIn(ctx, form))
    } catch (error) {
      return refused(ctx, form, error)
    }
  }

  async #createZone(ctx: HttpContext, form: Form, newZone: NewZone) {
    const contents = await this.#read(newZone)
    const intent = applyTerms(ctx, form)
    try {
      const created = this.creation.handle(intent, newZone.input, contents, newZone.source)
      const { zone } = await appliedResult(created)
      return goTo(ctx, `/zones/${zone.id}`, ctx.i18n.t('new_zones.made', { name: zone.name }))
    } catch (error) {
      if (!(error instanceof StalePlan)) throw error
      const problem = { status: 409, message: ctx.i18n.t('plan.moved') }
      const plan = error.plan && (await planView(error.plan))
      return planPage(ctx, newZone, { plan, problem, reason: form.reason })
    }
  }

  #read({ input: { name }, text, format }: NewZone) {
    return this.files.read({ zone: { name } }, [text], format)
  }

  /** Throws a 400 `Refusal` for input that is no zone. */
  async #newZoneIn({ actor, i18n }: HttpContext, form: Form): Promise<NewZone> {
    const type = KINDS.find((one) => one === (form.kind ?? 'MASTER'))
    if (!type) {
      throw invalid(`Field 'kind' must be one of ${KINDS.join(', ')}`)
    }
    const text = textOf(form)
    if (text.trim() === '') {
      throw localized(i18n.t('transfer.empty'))
    }
    const named = form.name?.trim() || apexOf(text)
    if (named === null) {
      throw localized(i18n.t('zone.from_file_no_name'))
    }
    const { format = 'auto', file_name: source } = form
    const description = form.description?.trim() || undefined
    const owners = await ownersIn(actor, type, form)
    return {
      input: { name: this.creation.nameOf(named), type, description, ...owners },
      text,
      format: format === 'auto' ? formatOf(text) : format,
      source: source || 'web',
      form,
    }
  }
}

function kindsFor(actor: Actor) {
  return KINDS.filter((kind) => authorize(actor, { action: 'zone.create', kind }).allowed)
}

/** Requires the right to create a zone with editable records. Throws a 403 `Refusal`. */
function demandCreation(actor: Actor): void {
  if (kindsFor(actor).length === 0) {
    demand(actor, { action: 'zone.create', kind: 'MASTER' })
  }
}

/** A file has precedence over pasted text. */
function textOf({ file, text = '' }: Form): string {
  return file || text
}

function planPage(
  ctx: HttpContext,
  { input: { name, type, description = '' }, text, format, source, form }: NewZone,
  state: Pick<Reviewed, 'plan' | 'understood' | 'problem' | 'reason'>
) {
  const { owner = '', groups = '', group = '' } = form
  const owners = { owner, groups, group }
  const fields = { text, format, file_name: source, name, kind: type, description, ...owners }
  const reviewed = { ...state, action: `${PATH}/apply`, fields, back: { action: PATH } }
  return reviewedView(ctx, 'pages/zones/create/from_file_plan', reviewed, { name })
}

/** The form with its errors; rethrows errors with their own page. */
function refused(ctx: HttpContext, form: Form, error: unknown) {
  const problem = formProblem(ctx, error)
  return formPage(ctx, form, problem, problemsOf(error, textOf(form)) ?? [])
}

async function formPage(
  ctx: HttpContext,
  form: Form,
  problem: FormProblem | null = null,
  problems: ShownProblem[] = []
) {
  const text = textOf(form)
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/create/from_file', {
    values: form,
    text: text.length > MAX_REPEATED ? '' : text,
    isCut: text.length > MAX_REPEATED,
    owners: await ownersView(ctx.actor, form, 'groups'),
    kinds: kindsFor(ctx.actor),
    problem,
    problems,
    megabytes: Math.floor(interfaceSettings.max_upload_bytes / 1_048_576),
  })
}
