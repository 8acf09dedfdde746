import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { appliedResult } from '#changes/model/outcome'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { cloneForm } from '#validators/web/zone_text'
import { ownersIn, ownersView } from '#web/forms/owner_fields'
import { goTo } from '#web/page/page'
import { zoneHead } from '#web/page/zone_tabs'
import { CloneZone } from '#zones/lifecycle/clone'
import { ZoneDirectory, type OpenZone } from '#zones/directory'

type Values = Partial<Infer<typeof cloneForm>>

/** /zones/{id}/clone: a new zone with the records of another one. */
@inject()
export default class ZoneCloneController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly cloneZone: CloneZone
  ) {}

  async create(ctx: HttpContext) {
    return clonePage(ctx, await this.#open(ctx), {})
  }

  async store(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const values = await ctx.request.validateUsing(cloneForm)
    const { name = '', description } = values
    try {
      const owners = await ownersIn(ctx.actor, 'MASTER', values)
      const input = { name: name.trim(), description: description?.trim(), ...owners }
      const applied = await appliedResult(
        this.cloneZone.handle(intentOf(ctx.actor), openedZone, input)
      )
      const text = ctx.i18n.t('zone.clone_done', {
        name: applied.zone.name,
        from: openedZone.zone.name,
      })
      return goTo(ctx, `/zones/${applied.zone.id}`, text)
    } catch (error) {
      return clonePage(ctx, openedZone, values, formProblem(ctx, error))
    }
  }

  async #open(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    demand(ctx.actor, { action: 'zone.create', kind: 'MASTER' })
    return openedZone
  }
}

async function clonePage(
  ctx: HttpContext,
  openedZone: OpenZone,
  values: Values,
  problem: FormProblem | null = null
) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/create/clone', {
    zone: zoneHead(ctx.actor, openedZone, 'transfer'),
    values,
    owners: await ownersView(ctx.actor, values),
    problem,
  })
}
