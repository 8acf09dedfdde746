import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { intentOf } from '#changes/model/intent'
import dnssec from '#config/dnssec'
import { signForm, unsignForm } from '#validators/web/name_server'
import { isNamed } from '#web/forms/confirm_name'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { unaskedReason } from '#web/forms/errors'
import { keyViews, signingWord } from '#web/zones/dnssec_view'
import { denialsOf } from '#web/accounts/denial'
import { displayName } from '#web/page/display_name'
import { backToSigning } from '#web/zones/signing_done'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { offeredBy } from '#zones/dnssec/key_requests'
import { isSigned, SigningDirectory } from '#zones/dnssec/signing_context'
import { ParentDelegations } from '#zones/dnssec/parent_ds'
import { ZoneSigningStates } from '#zones/dnssec/zone_signing'

/** /zones/{id}/dnssec */
@inject()
export default class ZoneDnssecController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly signing: SigningDirectory,
    private readonly states: ZoneSigningStates,
    private readonly parents: ParentDelegations
  ) {}

  async show(ctx: HttpContext) {
    return this.#page(ctx, await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view'))
  }

  async sign(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
    const { algorithm } = await ctx.request.validateUsing(signForm)
    return this.#handleErrors(ctx, openedZone, async () => {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'sign')
      const algorithmName = algorithm === '' ? undefined : algorithm
      const { changed, unfinished } = await this.states.sign(
        intentOf(ctx.actor),
        context,
        algorithmName
      )
      return { done: changed ? 'dnssec.done_signed' : 'dnssec.already_signed', unfinished }
    })
  }

  async rectify(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
    return this.#handleErrors(ctx, openedZone, async () => {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'rectify')
      await this.states.rectify(intentOf(ctx.actor), context)
      return { done: 'dnssec.done_rectified' }
    })
  }

  /** Consequences of removing the signatures. */
  async confirm(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
    return this.#unsignPage(ctx, openedZone)
  }

  async unsign(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
    const { name = '', sure, reason = '' } = await ctx.request.validateUsing(unsignForm)
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'sign')
      const missing = isNamed(name, openedZone.zone.name)
        ? sure === undefined && 'dnssec.not_sure'
        : 'dnssec.other_name'
      if (missing) {
        const problem = { status: 422, message: ctx.i18n.t(missing) }
        return await this.#unsignPage(ctx, openedZone, { name, reason, sure }, problem)
      }
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const { changed, unfinished } = await this.states.unsign(intent, context)
      const doneKey = changed ? 'dnssec.done_unsigned' : 'dnssec.already_unsigned'
      return backToSigning(ctx, openedZone.zone, doneKey, unfinished)
    } catch (error) {
      return this.#unsignPage(ctx, openedZone, { name, reason, sure }, formProblem(ctx, error))
    }
  }

  async #handleErrors(
    ctx: HttpContext,
    openedZone: OpenZone,
    work: () => Promise<{ done: string; unfinished?: string | null }>
  ) {
    try {
      const { done, unfinished } = await work()
      return backToSigning(ctx, openedZone.zone, done, unfinished)
    } catch (error) {
      return this.#page(ctx, openedZone, formProblem(ctx, error))
    }
  }

  async #page(ctx: HttpContext, openedZone: OpenZone, problem: FormProblem | null = null) {
    const { manage } = denialsOf(ctx.actor, {
      manage: { action: 'zone.manage_dnssec', zone: openedZone.facts },
    })
    ctx.response.status(problem?.status ?? 200)
    const signingState = await this.#signingState(ctx, openedZone)
    return ctx.view.render('pages/zones/dnssec/show', {
      zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
      problem,
      ...signingState,
      isOff: !dnssec.enabled,
      denial: manage,
    })
  }

  /** The signing state from the name server, or the reason why it is unknown. */
  async #signingState(ctx: HttpContext, { zone }: OpenZone) {
    try {
      const { signing } = await this.signing.open(ctx.actor, zone.id, 'read')
      const [state, { parent }] = await Promise.all([
        signing.state(zone),
        this.parents.readDelegation(ctx.actor, zone),
      ])
      const word = signingWord(zone, state)
      return {
        unasked: null,
        word,
        keys: keyViews(zone, state),
        algorithms: isSigned(state) ? [] : await offeredBy(signing),
        parent: parent && { ...parent, name: displayName(parent.zone.name) },
      }
    } catch (error) {
      const unasked = unaskedReason(ctx, error, 'dnssec.unreachable')
      if (!unasked) throw error
      return { unasked, word: null, keys: [], algorithms: [], parent: null }
    }
  }

  async #unsignPage(
    ctx: HttpContext,
    openedZone: OpenZone,
    values: { name?: string; reason?: string; sure?: string } = {},
    problem: FormProblem | null = null
  ) {
    const { zone } = openedZone
    try {
      const { signing } = await this.signing.open(ctx.actor, zone.id, 'sign')
      const [state, { parent, isSecure }] = await Promise.all([
        signing.state(zone),
        this.parents.readDelegation(ctx.actor, zone),
      ])
      if (!isSigned(state) || state.isPresigned) {
        return await this.#page(ctx, openedZone, problem)
      }
      ctx.response.status(problem?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/unsign', {
        zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
        problem,
        values,
        isSecure,
        parent: parent && { ...parent, name: displayName(parent.zone.name) },
      })
    } catch (error) {
      return this.#page(ctx, openedZone, problem ?? formProblem(ctx, error))
    }
  }
}
