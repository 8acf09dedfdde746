import { addressId, zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { intentOf } from '#changes/model/intent'
import { isGrave, keyEffects, type KeyEffect } from '#dns/dnssec/key_effects'
import { KEY_ROLES } from '#dns/dnssec/key_roles'
import { importKeyForm, keyForm, newKeyForm } from '#validators/web/name_server'
import { keyView } from '#web/zones/dnssec_view'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { backToSigning } from '#web/zones/signing_done'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { offeredBy } from '#zones/dnssec/key_requests'
import { SigningDirectory, type SigningContext } from '#zones/dnssec/signing_context'
import { ParentDelegations } from '#zones/dnssec/parent_ds'
import { ZoneKeys } from '#zones/dnssec/zone_keys'

/** Submitted values of a key form, never the private key. */
type Values = Partial<Record<'type' | 'algorithm' | 'bits' | 'active' | 'reason', string>>

/** Actions that need a confirmation. */
type KeyEnding = 'deactivate' | 'delete'

/** /zones/{id}/dnssec/keys */
@inject()
export default class ZoneKeysController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly signing: SigningDirectory,
    private readonly keys: ZoneKeys,
    private readonly parents: ParentDelegations
  ) {}

  async create(ctx: HttpContext) {
    return this.#newPage(ctx, await this.#open(ctx))
  }

  async store(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(newKeyForm)
    const { type = '', algorithm = '', bits = '', active, reason = '' } = form
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const [name, size] = algorithm.split(' ')
      const input = { type, algorithm: name, bits: Number(bits || size), active: active === '1' }
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const { unfinished } = await this.keys.add(intent, context, input)
      return backToSigning(ctx, openedZone.zone, 'dnssec.done_added', unfinished)
    } catch (error) {
      return this.#newPage(ctx, openedZone, form, formProblem(ctx, error))
    }
  }

  async createImport(ctx: HttpContext) {
    return this.#importPage(ctx, await this.#open(ctx))
  }

  async import(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(importKeyForm)
    const { type = '', privatekey = '', active, reason = '' } = form
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const input = { type, privatekey, active: active === '1' }
      const { unfinished } = await this.keys.import(intent, context, input)
      return backToSigning(ctx, openedZone.zone, 'dnssec.done_imported', unfinished)
    } catch (error) {
      return this.#importPage(ctx, openedZone, { type, active, reason }, formProblem(ctx, error))
    }
  }

  async activate(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const intent = intentOf(ctx.actor)
      const { unfinished } = await this.keys.setActive(intent, context, keyId(ctx), true)
      return backToSigning(ctx, openedZone.zone, 'dnssec.done_activated', unfinished)
    } catch (error) {
      return this.#formWithoutServer(ctx, openedZone, formProblem(ctx, error))
    }
  }

  async confirmDeactivation(ctx: HttpContext) {
    return this.#confirmPage(ctx, await this.#open(ctx), 'deactivate')
  }

  deactivate(ctx: HttpContext) {
    return this.#end(ctx, 'deactivate', async (context, reason) => {
      const intent = intentOf(ctx.actor, { reason })
      const { unfinished } = await this.keys.setActive(intent, context, keyId(ctx), false)
      return unfinished
    })
  }

  async confirmDeletion(ctx: HttpContext) {
    return this.#confirmPage(ctx, await this.#open(ctx), 'delete')
  }

  destroy(ctx: HttpContext) {
    return this.#end(ctx, 'delete', (context, reason) =>
      this.keys.delete(intentOf(ctx.actor, { reason }), context, keyId(ctx))
    )
  }

  async #end(
    ctx: HttpContext,
    ending: KeyEnding,
    work: (context: SigningContext, reason: string | null) => Promise<string | null>
  ) {
    const openedZone = await this.#open(ctx)
    const { sure, reason = '' } = await ctx.request.validateUsing(keyForm)
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const { effects } = await this.#effects(ctx, context)
      if (isGrave(effects) && sure === undefined) {
        const problem = { status: 422, message: ctx.i18n.t('dnssec.key_not_sure') }
        return await this.#confirmPage(ctx, openedZone, ending, reason, problem)
      }
      const unfinished = await work(context, reason.trim() || null)
      return backToSigning(ctx, openedZone.zone, `dnssec.done_${ending}d`, unfinished)
    } catch (error) {
      return this.#confirmPage(ctx, openedZone, ending, reason, formProblem(ctx, error))
    }
  }

  async #effects(ctx: HttpContext, context: SigningContext) {
    const key = await this.keys.find(context, keyId(ctx))
    const { parent } = await this.parents.readDelegation(ctx.actor, context.zone)
    const effects: KeyEffect[] = keyEffects(key.key, key.keys, parent?.ds ?? null)
    return { ...key, effects }
  }

  #open(ctx: HttpContext): Promise<OpenZone> {
    return this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
  }

  async #newPage(
    ctx: HttpContext,
    openedZone: OpenZone,
    values: Values = {},
    refused?: FormProblem
  ) {
    try {
      const { signing } = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const algorithms = await offeredBy(signing)
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_new', {
        zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
        problem: refused ?? null,
        values,
        roles: KEY_ROLES,
        sizes: algorithms.flatMap((one) => one.bits.map((bits) => ({ ...one, bits }))),
      })
    } catch (error) {
      return this.#formWithoutServer(ctx, openedZone, refused ?? formProblem(ctx, error))
    }
  }

  async #importPage(
    ctx: HttpContext,
    openedZone: OpenZone,
    values: Values = {},
    refused?: FormProblem
  ) {
    try {
      await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_import', {
        zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
        problem: refused ?? null,
        values,
        roles: KEY_ROLES,
      })
    } catch (error) {
      return this.#formWithoutServer(ctx, openedZone, refused ?? formProblem(ctx, error))
    }
  }

  async #confirmPage(
    ctx: HttpContext,
    openedZone: OpenZone,
    ending: KeyEnding,
    reason = '',
    refused?: FormProblem
  ) {
    try {
      const context = await this.signing.open(ctx.actor, openedZone.zone.id, 'keys')
      const { key, keys, effects } = await this.#effects(ctx, context)
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_end', {
        zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
        problem: refused ?? null,
        key: keyView(openedZone.zone.name, key, keys),
        ending,
        effects,
        isGrave: isGrave(effects),
        reason,
      })
    } catch (error) {
      return this.#formWithoutServer(ctx, openedZone, refused ?? formProblem(ctx, error))
    }
  }

  /** The page if the name server cannot be queried for its content. */
  #formWithoutServer(ctx: HttpContext, openedZone: OpenZone, problem: FormProblem) {
    ctx.response.status(problem.status)
    return ctx.view.render('pages/zones/unasked', {
      zone: zoneHead(ctx.actor, openedZone, 'dnssec'),
      problem,
      back: `/zones/${openedZone.zone.id}/dnssec`,
    })
  }
}

function keyId(ctx: HttpContext): number {
  return addressId(ctx, 'keyId')
}
