import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import { intentOf } from '#changes/model/intent'
import type { Filed } from '#changes/model/outcome'
import { metadataTag } from '#changes/model/etags'
import { filedToast } from '#controllers/web/records/change_toasts'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import { isKnownKind, metadataKind, writableKind } from '#dns/metadata/metadata'
import { invalid } from '#exceptions/refusal'
import { metadataForm } from '#validators/web/name_server'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { bareTag, conditionOf, versionForRedisplay } from '#web/forms/version'
import { submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { denialsOf, type Denial } from '#web/accounts/denial'
import { storedNow } from '#web/forms/edit_conflict'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneMetadata } from '#zones/metadata'

type Form = Infer<typeof metadataForm>

/** Maximum of values of a form: one above the limit, so that an excess is reported. */
const MAX_LINES = 101

/** /zones/{id}/metadata */
@inject()
export default class ZoneMetadataController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly metadata: ZoneMetadata
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_metadata')
    return this.#page(ctx, openedZone)
  }

  /** The form of one kind with its description. */
  async edit(ctx: HttpContext) {
    const { kind, custom } = ctx.request.qs() as Record<string, string | undefined>
    const chosenKind = custom?.trim() || kind || ''
    const viewed = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_metadata')
    try {
      writableKind(chosenKind)
    } catch (error) {
      return this.#page(ctx, viewed, formProblem(ctx, error), chosenKind)
    }
    const openedZone = await this.metadata.open(ctx.actor, viewed.zone.id, chosenKind)
    return this.#form(ctx, openedZone, { kind: chosenKind })
  }

  async update(ctx: HttpContext) {
    const { open, form, kind } = await this.#validatedForm(ctx)
    const { values = '', tag = '', reason = '' } = form
    const lines = values.split(/\r?\n/).filter((line) => line.trim() !== '')
    const intent = intentOf(ctx.actor, { reason: reason.trim() || null, review: 'file' })
    try {
      if (lines.length >= MAX_LINES) {
        throw invalid(`${kind} can have at most ${MAX_LINES - 1} values, found ${lines.length}`)
      }
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.metadata.set({ ...intent, repeatId }, open, kind, lines, conditionOf(tag))
      )
      if (outcome.kind === 'filed') return this.#filedToast(ctx, open, outcome)
    } catch (error) {
      return this.#form(ctx, open, form, formProblem(ctx, error, ctx.i18n.t('metadata.moved')))
    }
    return this.#goToMetadata(ctx, open, ctx.i18n.t('metadata.saved', { kind }))
  }

  async destroy(ctx: HttpContext) {
    const { open, form, kind } = await this.#validatedForm(ctx)
    const { tag = '', reason = '' } = form
    const intent = intentOf(ctx.actor, { reason: reason.trim() || null, review: 'file' })
    try {
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.metadata.delete({ ...intent, repeatId }, open, kind, conditionOf(tag))
      )
      if (outcome.kind === 'filed') return this.#filedToast(ctx, open, outcome)
    } catch (error) {
      return this.#page(ctx, open, formProblem(ctx, error))
    }
    return this.#goToMetadata(ctx, open, ctx.i18n.t('metadata.deleted', { kind }))
  }

  async #validatedForm(ctx: HttpContext) {
    await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_metadata')
    const form = await ctx.request.validateUsing(metadataForm)
    const kind = (form.kind ?? '').toUpperCase()
    return { open: await this.metadata.open(ctx.actor, zoneId(ctx), kind), form, kind }
  }

  #filedToast(ctx: HttpContext, openedZone: OpenZone, { request }: Filed) {
    filedToast(ctx, request.id)
    return this.#goToMetadata(ctx, openedZone)
  }

  #goToMetadata(ctx: HttpContext, { zone }: OpenZone, text?: string) {
    return goTo(ctx, `/zones/${zone.id}/metadata`, text)
  }

  async #page(
    ctx: HttpContext,
    openedZone: OpenZone,
    problem: FormProblem | null = null,
    custom: string | null = null
  ) {
    ctx.response.status(problem?.status ?? 200)
    const all = await this.metadata.all(ctx.actor, openedZone.zone.id)
    const mayWrite = (kind: string) => this.metadata.mayWrite(ctx.actor, openedZone, kind)
    const kinds = Object.entries(all).map(([kind, values]) => ({
      ...metadataKind(kind),
      values,
      tag: tagOf(kind, values),
      isOwn: !isKnownKind(kind),
      mayWrite: mayWrite(kind),
      denial: this.#denial(ctx, openedZone, kind),
    }))
    const addable = METADATA_KINDS.filter(({ kind }) => !(kind in all) && mayWrite(kind))
    return ctx.view.render('pages/zones/metadata', {
      zone: zoneHead(ctx.actor, openedZone, 'metadata'),
      problem,
      kinds,
      addable: addable.map(({ kind, summary }) => ({ value: kind, label: `${kind}: ${summary}` })),
      denial: this.#denial(ctx, openedZone, 'X-OWN'),
      custom,
    })
  }

  /**
   * Returns why the actor may not write a kind; null if permitted, or if nobody can write the kind.
   */
  #denial({ actor }: HttpContext, { facts }: OpenZone, kind: string): Denial | null {
    const isOfServer = metadataKind(kind).writer === 'server'
    if (isOfServer || !this.metadata.isWritable(kind)) {
      return null
    }
    return denialsOf(actor, { write: { action: 'metadata.write', zone: facts, kind } }).write
  }

  async #form(
    ctx: HttpContext,
    openedZone: OpenZone,
    { kind: name = '', values, tag, reason = '' }: Form,
    problem: FormProblem | null = null
  ) {
    ctx.response.status(problem?.status ?? 200)
    const kind = name.toUpperCase()
    const all = await this.metadata.all(ctx.actor, openedZone.zone.id)
    const storedValues = all[kind] as string[] | undefined
    const storedText = (storedValues ?? []).join('\n')
    const labels = { values: metadataKind(kind).isList ? 'metadata.values' : 'metadata.value' }
    const formValues = { values: values ?? storedText }
    return ctx.view.render('pages/zones/metadata_kind', {
      zone: zoneHead(ctx.actor, openedZone, 'metadata'),
      problem,
      kind: metadataKind(kind),
      isOwn: !isKnownKind(kind),
      isNew: !storedValues,
      ...formValues,
      storedNow: storedNow(ctx, problem, labels, { values: storedText }, formValues),
      tag: versionForRedisplay(tagOf(kind, storedValues ?? []), problem, tag),
      reason,
    })
  }
}

/** Without quotes, as in forms; '' for a missing kind. */
function tagOf(kind: string, values: string[]): string {
  return values.length === 0 ? '' : bareTag(metadataTag(kind, values))
}
