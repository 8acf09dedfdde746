import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { openGroup, viewGroup } from '#accounts/groups/groups'
import { listMembers, MEMBER_LIST, memberIds } from '#accounts/groups/member_list'
import { changeMembers } from '#accounts/groups/members'
import { commandOptions } from '#accounts/terms'
import { listUsers, USER_LIST } from '#accounts/users/directory'
import { intentOf } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { rowIdIn } from '#database/rows/row_ids'
import { listQuery } from '#lists/query'
import { parsePage } from '#lists/page'
import { groupPartsForm } from '#validators/web/people'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { groupHead } from '#web/accounts/group_head'
import { displayName } from '#web/page/display_name'
import { GROUP_ZONE_LIST, GroupZones } from '#zones/ownership/group_zones'
import { ZONE_LIST, ZoneList } from '#zones/list/zone_list'

/** Maximum of entries in a pane; a search narrows them. */
const MAX_ENTRIES_SHOWN = 200

/** An entry of a pane. */
interface Entry {
  id: number
  name: string
  note: string
}

/** Content of the two panes: members of the group, and candidates. */
interface MemberPanes {
  inside: { entries: Entry[]; total: number }
  outside: { entries: Entry[]; total: number }
}

/** /groups/{id}/members and /groups/{id}/zones: two lists with checkboxes and a search. */
@inject()
export default class GroupPartsController {
  constructor(
    private readonly groupZones: GroupZones,
    private readonly list: ZoneList
  ) {}

  async members(ctx: HttpContext) {
    return this.#members(ctx)
  }

  async zones(ctx: HttpContext) {
    return this.#zones(ctx)
  }

  async changeMembers(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const { add, remove } = await ticked(ctx)
    if (add.length + remove.length === 0) {
      return this.#members(ctx, notFoundProblem(ctx))
    }
    try {
      const count = await changeMembers(commandOptions(ctx.actor), id, { add, remove })
      return changed(ctx, count, 'members')
    } catch (error) {
      return this.#members(ctx, formProblem(ctx, error))
    }
  }

  /** Assigns zones to the group and removes others: all that are selected, or none. */
  async changeZones(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const { add, remove } = await ticked(ctx)
    if (add.length + remove.length === 0) {
      return this.#zones(ctx, notFoundProblem(ctx))
    }
    try {
      const count = await this.groupZones.change(intentOf(ctx.actor), id, { add, remove })
      return changed(ctx, count, 'zones')
    } catch (error) {
      return this.#zones(ctx, formProblem(ctx, error))
    }
  }

  async #members(ctx: HttpContext, problem: FormProblem | null = null) {
    const { actor } = ctx
    const id = addressId(ctx)
    const { qIn, qOut } = searches(ctx)
    const page = window()
    const query = { ...listQuery(MEMBER_LIST, { sort: 'username' }), q: qIn, page }
    const { rows, total } = await listMembers(actor, id, query)
    const members = await memberIds(actor, id)
    // More by the number of members, which are filtered out.
    const wider = { ...window(), size: MAX_ENTRIES_SHOWN + members.size }
    const listing = await listUsers(actor, {
      ...listQuery(USER_LIST, { sort: 'username' }),
      q: qOut,
      page: wider,
    })
    const nonMembers = listing.users
      .filter((user) => !members.has(user.id))
      .slice(0, MAX_ENTRIES_SHOWN)
    return this.#page(ctx, 'members', problem, {
      inside: {
        entries: rows.map((row) => ({
          id: row.user_id,
          name: row.username,
          note: row.fullname,
        })),
        total: total ?? rows.length,
      },
      outside: {
        entries: nonMembers.map((user) => ({
          id: user.id,
          name: user.username,
          note: user.fullname,
        })),
        total: Math.max(nonMembers.length, (listing.pageInfo?.total ?? 0) - members.size),
      },
    })
  }

  async #zones(ctx: HttpContext, problem: FormProblem | null = null) {
    const { actor } = ctx
    const id = addressId(ctx)
    const { qIn, qOut } = searches(ctx)
    const query = { ...listQuery(GROUP_ZONE_LIST, { sort: 'zone_name' }), q: qIn, page: window() }
    const { rows, total } = await this.groupZones.list(actor, id, query)
    const mayManage = authorize(actor, { action: 'group.manage' }).allowed
    const outside = mayManage ? await this.#otherZones(ctx, id, qOut) : { entries: [], total: 0 }
    return this.#page(ctx, 'zones', problem, {
      inside: {
        entries: rows.map((row) => ({
          id: row.zone_id,
          name: displayName(row.zone_name).text,
          note: row.zone_type,
        })),
        total: total ?? rows.length,
      },
      outside,
    })
  }

  /** Zones that the group does not own. If it owns very many, some of them may be offered, too. */
  async #otherZones(
    ctx: HttpContext,
    id: number,
    q: string | null
  ): Promise<MemberPanes['outside']> {
    const listQueryOfPage = {
      ...listQuery(GROUP_ZONE_LIST, {}),
      q,
      page: { ...window(), size: 2_000 },
    }
    const ownedZones = await this.groupZones.list(ctx.actor, id, listQueryOfPage)
    const ownedIds = new Set(ownedZones.rows.map((row) => row.zone_id))
    const page = { ...window(), size: MAX_ENTRIES_SHOWN + ownedIds.size }
    const query = { ...listQuery(ZONE_LIST, { sort: 'name' }), q, page }
    const { rows, total } = await this.list.page(ctx.actor, query)
    const free = rows.filter((zone) => !ownedIds.has(zone.id)).slice(0, MAX_ENTRIES_SHOWN)
    return {
      entries: free.map(({ id: zoneId, name, type }) => ({
        id: zoneId,
        name: displayName(name).text,
        note: type,
      })),
      total: Math.max(free.length, (total ?? 0) - ownedIds.size),
    }
  }

  async #page(
    ctx: HttpContext,
    part: 'members' | 'zones',
    problem: FormProblem | null,
    panes: MemberPanes
  ) {
    const group = await viewGroup(ctx.actor, addressId(ctx))
    const { qIn, qOut } = searches(ctx)
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/groups/parts', {
      head: groupHead(ctx.actor, group, part),
      part,
      problem,
      panes,
      qIn: qIn ?? '',
      qOut: qOut ?? '',
      ...denialsOf(ctx.actor, { denial: { action: 'group.manage' } }),
    })
  }
}

function notFoundProblem({ i18n }: HttpContext): FormProblem {
  return { status: 422, message: i18n.t('groups.nothing_ticked') }
}

function window() {
  return parsePage({ page: '1', per_page: String(MAX_ENTRIES_SHOWN) })!
}

function searches({ request }: HttpContext): { qIn: string | null; qOut: string | null } {
  const { q, other } = request.qs() as { q?: string; other?: string }
  const text = (value: string | undefined) => value?.trim().slice(0, 255) || null
  return { qIn: text(q), qOut: text(other) }
}

async function ticked({ request }: HttpContext): Promise<{ add: number[]; remove: number[] }> {
  const { add = [], remove = [] } = await request.validateUsing(groupPartsForm)
  return { add: add.map(rowIdIn), remove: remove.map(rowIdIn) }
}

function changed(ctx: HttpContext, count: number, part: 'members' | 'zones') {
  const text = ctx.i18n.t(`groups.${part}_changed`, { count })
  return goTo(ctx, `/groups/${addressId(ctx)}/${part}`, text)
}
