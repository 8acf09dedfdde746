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
import { SigningDirectory, type OpenedSigning } from '#zones/dnssec/signing_context'
import { ParentDelegations } from '#zones/dnssec/parent_ds'
import { ZoneKeys } from '#zones/dnssec/zone_keys'

/** Submitted values of a key form, never the private key. */
type Values = Partial<Record<'type' | 'algorithm' | 'bits' | 'active' | 'reason', string>>

/** Actions that need a confirmation. */
type Ending = 'deactivate' | 'delete'

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
    const open = await this.#open(ctx)
    const form = await ctx.request.validateUsing(newKeyForm)
    const { type = '', algorithm = '', bits = '', active, reason = '' } = form
    try {
      const opened = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const [name, size] = algorithm.split(' ')
      const input = { type, algorithm: name, bits: Number(bits || size), active: active === '1' }
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const { unfinished } = await this.keys.add(intent, opened, input)
      return backToSigning(ctx, open.zone, 'dnssec.done_added', unfinished)
    } catch (error) {
      return this.#newPage(ctx, open, form, formProblem(ctx, error))
    }
  }

  async createImport(ctx: HttpContext) {
    return this.#importPage(ctx, await this.#open(ctx))
  }

  async import(ctx: HttpContext) {
    const open = await this.#open(ctx)
    const form = await ctx.request.validateUsing(importKeyForm)
    const { type = '', privatekey = '', active, reason = '' } = form
    try {
      const opened = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const input = { type, privatekey, active: active === '1' }
      const { unfinished } = await this.keys.import(intent, opened, input)
      return backToSigning(ctx, open.zone, 'dnssec.done_imported', unfinished)
    } catch (error) {
      return this.#importPage(ctx, open, { type, active, reason }, formProblem(ctx, error))
    }
  }

  async activate(ctx: HttpContext) {
    const open = await this.#open(ctx)
    try {
      const opened = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const intent = intentOf(ctx.actor)
      const { unfinished } = await this.keys.setActive(intent, opened, keyId(ctx), true)
      return backToSigning(ctx, open.zone, 'dnssec.done_activated', unfinished)
    } catch (error) {
      return this.#unasked(ctx, open, formProblem(ctx, error))
    }
  }

  async confirmDeactivation(ctx: HttpContext) {
    return this.#confirmPage(ctx, await this.#open(ctx), 'deactivate')
  }

  deactivate(ctx: HttpContext) {
    return this.#end(ctx, 'deactivate', async (opened, reason) => {
      const intent = intentOf(ctx.actor, { reason })
      const { unfinished } = await this.keys.setActive(intent, opened, keyId(ctx), false)
      return unfinished
    })
  }

  async confirmDeletion(ctx: HttpContext) {
    return this.#confirmPage(ctx, await this.#open(ctx), 'delete')
  }

  destroy(ctx: HttpContext) {
    return this.#end(ctx, 'delete', (opened, reason) =>
      this.keys.delete(intentOf(ctx.actor, { reason }), opened, keyId(ctx))
    )
  }

  async #end(
    ctx: HttpContext,
    ending: Ending,
    work: (opened: OpenedSigning, reason: string | null) => Promise<string | null>
  ) {
    const open = await this.#open(ctx)
    const { sure, reason = '' } = await ctx.request.validateUsing(keyForm)
    try {
      const opened = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const { effects } = await this.#effects(ctx, opened)
      if (isGrave(effects) && sure === undefined) {
        const problem = { status: 422, message: ctx.i18n.t('dnssec.key_not_sure') }
        return await this.#confirmPage(ctx, open, ending, reason, problem)
      }
      const unfinished = await work(opened, reason.trim() || null)
      return backToSigning(ctx, open.zone, `dnssec.done_${ending}d`, unfinished)
    } catch (error) {
      return this.#confirmPage(ctx, open, ending, reason, formProblem(ctx, error))
    }
  }

  async #effects(ctx: HttpContext, opened: OpenedSigning) {
    const found = await this.keys.find(opened, keyId(ctx))
    const { parent } = await this.parents.of(ctx.actor, opened.zone)
    const effects: KeyEffect[] = keyEffects(found.key, found.keys, parent?.ds ?? null)
    return { ...found, effects }
  }

  #open(ctx: HttpContext): Promise<OpenZone> {
    return this.directory.open(ctx.actor, zoneId(ctx), 'zone.manage_dnssec')
  }

  async #newPage(ctx: HttpContext, open: OpenZone, values: Values = {}, refused?: FormProblem) {
    try {
      const { signing } = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const offered = await offeredBy(signing)
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_new', {
        zone: zoneHead(ctx.actor, open, 'dnssec'),
        problem: refused ?? null,
        values,
        roles: KEY_ROLES,
        sizes: offered.flatMap((one) => one.bits.map((bits) => ({ ...one, bits }))),
      })
    } catch (error) {
      return this.#unasked(ctx, open, refused ?? formProblem(ctx, error))
    }
  }

  async #importPage(ctx: HttpContext, open: OpenZone, values: Values = {}, refused?: FormProblem) {
    try {
      await this.signing.open(ctx.actor, open.zone.id, 'keys')
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_import', {
        zone: zoneHead(ctx.actor, open, 'dnssec'),
        problem: refused ?? null,
        values,
        roles: KEY_ROLES,
      })
    } catch (error) {
      return this.#unasked(ctx, open, refused ?? formProblem(ctx, error))
    }
  }

  async #confirmPage(
    ctx: HttpContext,
    open: OpenZone,
    ending: Ending,
    reason = '',
    refused?: FormProblem
  ) {
    try {
      const opened = await this.signing.open(ctx.actor, open.zone.id, 'keys')
      const { key, keys, effects } = await this.#effects(ctx, opened)
      ctx.response.status(refused?.status ?? 200)
      return await ctx.view.render('pages/zones/dnssec/key_end', {
        zone: zoneHead(ctx.actor, open, 'dnssec'),
        problem: refused ?? null,
        key: keyView(open.zone.name, key, keys),
        ending,
        effects,
        isGrave: isGrave(effects),
        reason,
      })
    } catch (error) {
      return this.#unasked(ctx, open, refused ?? formProblem(ctx, error))
    }
  }

  /** The page if the name server cannot be queried for its content. */
  #unasked(ctx: HttpContext, open: OpenZone, problem: FormProblem) {
    ctx.response.status(problem.status)
    return ctx.view.render('pages/zones/unasked', {
      zone: zoneHead(ctx.actor, open, 'dnssec'),
      problem,
      back: `/zones/${open.zone.id}/dnssec`,
    })
  }
}

function keyId(ctx: HttpContext): number {
  return addressId(ctx, 'keyId')
}
