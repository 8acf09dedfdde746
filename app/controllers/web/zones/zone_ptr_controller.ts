import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Intent } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { applyReviewed, reviewedPage, type Reviewed } from '#controllers/web/review/reviewed_page'
import { InvalidDns } from '#dns/errors'
import { isReverseZone } from '#dns/names'
import { ptrForm } from '#validators/web/zone_text'
import { dryRun } from '#web/plans/planned'
import { planView } from '#web/plans/plan_view'
import { ptrRows, takenRows } from '#web/zones/ptr_view'
import { zoneHead } from '#web/page/zone_tabs'
import { ChangeSets } from '#zones/records/change_sets'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { PtrBatch, ptrActions, type PtrReport } from '#zones/records/missing_ptrs'

type Form = Infer<typeof ptrForm>

/** /zones/{id}/ptr: PTR records for the addresses of a forward zone, or in a reverse zone. */
@inject()
export default class ZonePtrController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly batch: PtrBatch,
    private readonly changeSets: ChangeSets
  ) {}

  async show(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const network = String(ctx.request.qs().network ?? '').slice(0, 100)
    try {
      const report = await this.batch.report(ctx.actor, openedZone, network || null)
      return ptrPage(ctx, openedZone, { network, report })
    } catch (error) {
      return ptrPage(ctx, openedZone, { network, problem: formProblem(ctx, error) })
    }
  }

  async plan(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(ptrForm)
    let report: PtrReport | undefined
    try {
      report = await this.#report(ctx, openedZone, form)
      const rows = takenRows(report.rows, form.take ?? '')
      if (rows.length === 0) {
        throw new InvalidDns('take', '', 'at least one address', { problem: 'contains no address' })
      }
      const plan = await dryRun(ctx.actor, (intent) =>
        this.changeSets.submit(intent, ptrActions(rows))
      )
      return reviewedPage(ctx, openedZone, {
        ...reviewedPtrs(openedZone, form),
        plan: await planView(plan),
      })
    } catch (error) {
      const problem = formProblem(ctx, error)
      return ptrPage(ctx, openedZone, {
        network: form.network ?? '',
        report,
        problem,
        take: form.take,
      })
    }
  }

  async apply(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(ptrForm)
    const reviewed = { ...reviewedPtrs(openedZone, form), reason: form.reason }
    let report: PtrReport | undefined
    try {
      report = await this.#report(ctx, openedZone, form)
      const rows = takenRows(report.rows, form.take ?? '')
      const write = (intent: Intent) => this.changeSets.submit(intent, ptrActions(rows))
      return await applyReviewed(ctx, openedZone, form, write, reviewed)
    } catch (error) {
      const problem = formProblem(ctx, error)
      return ptrPage(ctx, openedZone, {
        network: form.network ?? '',
        report,
        problem,
        take: form.take,
      })
    }
  }

  #open(ctx: HttpContext): Promise<OpenZone> {
    return this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
  }

  #report({ actor }: HttpContext, openedZone: OpenZone, { network }: Form): Promise<PtrReport> {
    return this.batch.report(actor, openedZone, network || null)
  }
}

function reviewedPtrs({ zone }: OpenZone, form: Form): Omit<Reviewed, 'plan'> {
  const path = `/zones/${zone.id}/ptr`
  const network = form.network ?? ''
  return {
    tab: 'transfer',
    action: `${path}/apply`,
    fields: { network, take: form.take ?? '' },
    back: { href: network ? `${path}?network=${encodeURIComponent(network)}` : path },
  }
}

function ptrPage(
  ctx: HttpContext,
  openedZone: OpenZone,
  state: { network: string; report?: PtrReport; problem?: FormProblem; take?: string }
) {
  const { network, report = null, problem = null, take } = state
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/records/ptr', {
    zone: zoneHead(ctx.actor, openedZone, 'transfer'),
    network,
    rows: report ? ptrRows(report, openedZone.zone.name, take) : [],
    count: report?.rows.length ?? 0,
    isCut: report?.isCut ?? false,
    most: report?.most ?? 0,
    isForward: !isReverseZone(openedZone.zone.name),
    problem,
  })
}
