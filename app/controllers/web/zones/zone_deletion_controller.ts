import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { intentOf } from '#changes/model/intent'
import { zoneTag } from '#changes/model/etags'
import { zoneDeletionForm } from '#validators/web/zones'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { filedToast } from '#controllers/web/records/change_toasts'
import { reviewTerms } from '#web/forms/review_options'
import { bareTag, conditionOf } from '#web/forms/version'
import { submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { displayName } from '#web/page/display_name'
import { zoneHead } from '#web/page/zone_tabs'
import { DeleteZone } from '#zones/lifecycle/delete'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneSummaries } from '#zones/list/summaries'

/** /zones/{id}/delete */
@inject()
export default class ZoneDeletionController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly deletion: DeleteZone,
    private readonly summaries: ZoneSummaries
  ) {}

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.delete')
    return this.#page(ctx, openedZone)
  }

  async destroy(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.delete')
    const { tag = '', reason, sure } = await ctx.request.validateUsing(zoneDeletionForm)
    const { signing } = await this.#summaryOf(ctx, openedZone)
    if (signing && sure === undefined) {
      const message = ctx.i18n.t('zone.zone_deletion_not_sure')
      return this.#page(ctx, openedZone, { status: 422, message }, reason)
    }
    try {
      const terms = { reason: reason?.trim() || null, ...reviewTerms(ctx) }
      const intent = intentOf(ctx.actor, terms)
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.deletion.handle({ ...intent, repeatId }, openedZone, conditionOf(tag))
      )
      if (outcome.kind === 'filed') {
        filedToast(ctx, outcome.request.id)
        return goTo(ctx, `/zones/${openedZone.zone.id}`)
      }
    } catch (error) {
      const changedText = ctx.i18n.t('zone.zone_settings_moved')
      return this.#page(ctx, openedZone, formProblem(ctx, error, changedText), reason)
    }
    const { text: name } = displayName(openedZone.zone.name)
    return goTo(ctx, '/zones', ctx.i18n.t('zone.zone_deletion_deleted', { name }))
  }

  async #summaryOf({ actor }: HttpContext, { zone }: OpenZone) {
    const listedZone = { id: zone.id, name: zone.name, type: zone.kind }
    const [summary] = await this.summaries.readVisible(actor, [listedZone])
    return summary
  }

  async #page(
    ctx: HttpContext,
    openedZone: OpenZone,
    problem: FormProblem | null = null,
    reason = ''
  ) {
    const { records, signing } = await this.#summaryOf(ctx, openedZone)
    const { review } = authorize(ctx.actor, { action: 'zone.delete', zone: openedZone.facts })
    const tag = bareTag(zoneTag(await this.directory.describe(openedZone.zone)))
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/zones/delete', {
      zone: zoneHead(ctx.actor, openedZone, 'settings'),
      problem,
      records,
      signing,
      isAsked: review === true,
      mayAsk: authorize(ctx.actor, { action: 'zone.request_deletion', zone: openedZone.facts })
        .allowed,
      reason,
      tag,
    })
  }
}
