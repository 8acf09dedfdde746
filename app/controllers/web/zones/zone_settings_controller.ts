import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import { authorize } from '#access/authorize'
import { BackendManager } from '#backends/manager'
import { isReplica } from '#backends/contract/zone_kinds'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { zoneTag } from '#changes/model/etags'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { outcomeToast } from '#controllers/web/records/change_toasts'
import { reviewTerms } from '#web/forms/review_options'
import { zoneOwnerForm, zoneSettingsForm } from '#validators/web/zones'
import { groupChoices, groupNamed, userChoices, userNamed } from '#web/forms/choices'
import { bareTag, conditionOf, versionForRedisplay } from '#web/forms/version'
import { submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { storedNow } from '#web/forms/edit_conflict'
import { ZONE_KINDS } from '#web/format/kinds'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { GroupZones } from '#zones/ownership/group_zones'
import { UpdateZone } from '#zones/lifecycle/update'
import { ZoneOwners } from '#zones/ownership/zone_owners'
import { ZoneSummaries } from '#zones/list/summaries'

type Form = Infer<typeof zoneSettingsForm>

const LABELS = {
  name: 'zone.zone_settings_name',
  type: 'zone.zone_settings_type',
  masters: 'new_zones.masters',
  account: 'zone.zone_settings_account',
  description: 'zone.zone_settings_description',
}

/** /zones/{id}/settings, and the owners of the zone */
@inject()
export default class ZoneSettingsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly updating: UpdateZone,
    private readonly zoneOwners: ZoneOwners,
    private readonly groups: GroupZones,
    private readonly summaries: ZoneSummaries,
    private readonly backends: BackendManager
  ) {}

  async edit(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    return this.#page(ctx, openedZone)
  }

  /** The owners of the zone, also for actors who may view only them. */
  async owners(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_owners')
    return this.#page(ctx, openedZone, null, {}, 'pages/zones/owners')
  }

  async update(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const form = await ctx.request.validateUsing(zoneSettingsForm)
    const { name, type, masters, account, description, tag = '', reason } = form
    const hasPrimaries = (type ?? openedZone.zone.kind) === 'SLAVE'
    const properties = { name, type, account, description, ...(hasPrimaries ? { masters } : {}) }
    try {
      const { review, applyAt } = reviewTerms(ctx)
      const filing = review === 'ask' ? { review, applyAt } : {}
      const intent = intentOf(ctx.actor, { reason: reason?.trim() || null, ...filing })
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.updating.handle({ ...intent, repeatId }, openedZone, properties, conditionOf(tag))
      )
      await outcomeToast(ctx, outcome, { message: 'zone.zone_settings_saved' })
    } catch (error) {
      return this.#refusedPage(ctx, openedZone, error, form)
    }
    return this.#goToSettings(ctx, openedZone)
  }

  async addOwner(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const form = await ctx.request.validateUsing(zoneOwnerForm)
    const intent = intentOf(ctx.actor)
    try {
      // Before the lookup, so that the answer does not reveal names.
      demand(ctx.actor, { action: 'zone.edit_owners', zone: openedZone.facts })
      if (form.group) demand(ctx.actor, { action: 'group.manage' })
      if (form.group)
        await this.groups.assign(intent, await groupNamed(form.group), openedZone.zone.id)
      else await this.zoneOwners.add(intent, openedZone.zone.id, await userNamed(form.owner ?? ''))
    } catch (error) {
      return this.#refusedPage(ctx, openedZone, error)
    }
    return this.#goToSettings(ctx, openedZone, ctx.i18n.t('zone.zone_settings_owner_added'))
  }

  async removeOwner(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const form = await ctx.request.validateUsing(zoneOwnerForm)
    const intent = intentOf(ctx.actor)
    try {
      if (form.group_id)
        await this.groups.unassign(intent, Number(form.group_id), openedZone.zone.id)
      else await this.zoneOwners.remove(intent, openedZone.zone.id, Number(form.user_id ?? 0))
    } catch (error) {
      return this.#refusedPage(ctx, openedZone, error)
    }
    return this.#goToSettings(ctx, openedZone, ctx.i18n.t('zone.zone_settings_owner_removed'))
  }

  #goToSettings(ctx: HttpContext, { zone }: OpenZone, text?: string) {
    return goTo(ctx, `/zones/${zone.id}/settings`, text)
  }

  #refusedPage(ctx: HttpContext, openedZone: OpenZone, error: unknown, form?: Form) {
    const problem = formProblem(ctx, error, ctx.i18n.t('zone.zone_settings_moved'))
    return this.#page(ctx, openedZone, problem, form)
  }

  async #page(
    ctx: HttpContext,
    openedZone: OpenZone,
    problem: FormProblem | null = null,
    form: Form = {},
    template = 'pages/zones/settings'
  ) {
    const { actor } = ctx
    const { zone, facts } = openedZone
    const tagged = await this.directory.describe(zone)
    const [summary] = await this.summaries.readVisible(actor, [
      { id: zone.id, name: zone.name, type: zone.kind },
    ])
    const denials = denialsOf(actor, {
      properties: { action: 'zone.edit_properties', zone: facts },
      description: { action: 'zone.edit_description', zone: facts },
      owners: { action: 'zone.edit_owners', zone: facts },
      groups: [{ action: 'zone.edit_owners', zone: facts }, { action: 'group.manage' }],
      delete: { action: 'zone.delete', zone: facts },
      notify: { action: 'zone.tell_server', zone: facts },
    })
    const mayGroup = authorize(actor, { action: 'group.manage' }).allowed
    const storedMembers = {
      name: zone.name,
      type: zone.kind,
      masters: zone.masters.join(', '),
      account: zone.account ?? '',
      description: tagged.description ?? '',
    }
    const values = {
      name: form.name ?? storedMembers.name,
      type: form.type ?? storedMembers.type,
      masters: form.masters ?? storedMembers.masters,
      account: form.account ?? storedMembers.account,
      description: form.description ?? storedMembers.description,
      reason: form.reason ?? '',
    }
    const head = zoneHead(actor, openedZone, 'settings')
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render(template, {
      zone: head,
      // Of these properties, only a new name can be filed for review.
      mayAskForName: head.mayAsk && this.backends.use().capabilities.rename,
      problem,
      values,
      storedNow: storedNow(ctx, problem, LABELS, storedMembers, values),
      tag: versionForRedisplay(bareTag(zoneTag(tagged)), problem, form.tag),
      kinds: [...new Set<string>([...ZONE_KINDS, zone.kind])],
      isReplica: isReplica(zone),
      denials,
      callDenial: denials.notify,
      owners: summary.owners,
      groups: mayGroup ? await groupChoices(actor) : [],
      users: denials.owners ? [] : await userChoices(actor),
    })
  }
}
