import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { invalid } from '#exceptions/refusal'
import { newZonesForm } from '#validators/web/zones'
import { templateChoices, templateIn } from '#web/forms/choices'
import { ownersIn, ownersView } from '#web/forms/owner_fields'
import {
  linesOf,
  MAX_NAMES,
  NewZones,
  type NewZoneResult,
  type NewZoneSettings,
} from '#web/zones/new_zones'
import { storeFormResult, loadFormResult, leadAbove } from '#web/forms/form_results'
import { goTo } from '#web/page/page'
import { localized } from '#web/forms/localized_error'
import { ZONE_KINDS } from '#web/format/kinds'
import { SignNewZone } from '#zones/dnssec/sign_new_zone'

type Form = Infer<typeof newZonesForm>

/** Result of a form that created all its zones. */
interface CreatedZones {
  form: Partial<Form>
  results: NewZoneResult[]
}

/** /zones/new */
@inject()
export default class NewZonesController {
  constructor(
    private readonly zones: NewZones,
    private readonly signing: SignNewZone
  ) {}

  async create(ctx: HttpContext) {
    const [kind] = kindsFor(ctx.actor)
    if (kind === undefined) {
      demand(ctx.actor, { action: 'zone.create', kind: 'MASTER' })
    }
    return this.#page(ctx, { kind })
  }

  async store(ctx: HttpContext) {
    const form = await ctx.request.validateUsing(newZonesForm)
    let results: NewZoneResult[]
    try {
      const lines = linesOf(form.names ?? '')
      if (lines.length === 0) {
        throw localized(ctx.i18n.t('new_zones.no_names'))
      }
      if (lines.length > MAX_NAMES) {
        throw localized(ctx.i18n.t('new_zones.too_many', { most: MAX_NAMES }))
      }
      results = await this.zones.make(ctx.actor, lines, await propertiesIn(ctx.actor, form))
    } catch (error) {
      const problem = formProblem(ctx, error)
      return this.#page(ctx, form, { problem, status: problem.status })
    }
    const failedResults = results.filter(({ zone }) => zone === null)
    const [first] = results
    if (results.length === 1 && first.zone) {
      const { id, name } = first.zone
      const text = [ctx.i18n.t('new_zones.made', { name: name.text }), ...first.notes].join(' ')
      return goTo(ctx, `/zones/${id}`, text, first.notes.length > 0 ? 'warning' : 'done')
    }
    const names = failedResults.map(({ line }) => line).join('\n')
    const created: CreatedZones = { form: { ...form, names }, results }
    if (failedResults.length > 0) {
      return this.#page(ctx, created.form, { results, status: 422 })
    }
    const address = await storeFormResult(ctx, created)
    return address ? goTo(ctx, address) : this.#page(ctx, created.form, { results })
  }

  /** The page of the created zones, by a stored URL. */
  async showCreated(ctx: HttpContext) {
    const created = (await loadFormResult(ctx)) as CreatedZones | null
    return created ? this.#page(ctx, created.form, { results: created.results }) : leadAbove(ctx)
  }

  async #page(
    ctx: HttpContext,
    values: Partial<Form>,
    {
      problem = null,
      results = [],
      status = 200,
    }: { problem?: FormProblem | null; results?: NewZoneResult[]; status?: number } = {}
  ) {
    const { actor } = ctx
    ctx.response.status(status)
    return ctx.view.render('pages/zones/create/new', {
      values,
      problem,
      results,
      made: results.filter(({ zone }) => zone !== null).length,
      left: results.filter(({ zone }) => zone === null).length,
      kinds: kindsFor(actor),
      templates: await templateChoices(actor),
      owners: await ownersView(actor, values),
      offersSigning: this.signing.isOffered,
    })
  }
}

function kindsFor(actor: Actor) {
  return ZONE_KINDS.filter((kind) => authorize(actor, { action: 'zone.create', kind }).allowed)
}

/** The properties that the form requests for every zone. Throws a 400 `Refusal`. */
async function propertiesIn(actor: Actor, form: Form): Promise<NewZoneSettings> {
  const kind = ZONE_KINDS.find((one) => one === form.kind)
  if (!kind) {
    throw invalid(`Field 'kind' must be one of ${ZONE_KINDS.join(', ')}`)
  }
  const isReplica = kind === 'SLAVE'
  return {
    type: kind,
    masters: isReplica ? (form.masters ?? '') : undefined,
    description: form.description?.trim() || undefined,
    ...(await ownersIn(actor, kind, form)),
    templateId: isReplica ? undefined : await templateIn(actor, form),
    isToBeSigned: !isReplica && form.sign !== undefined,
  }
}
