import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { listVisibleMembers } from '#accounts/groups/member_list'
import { createGroup, deleteGroup, updateGroup } from '#accounts/groups/writes'
import {
  findGroup,
  GROUP_LIST,
  listGroups,
  openGroup,
  type ZoneCounts,
} from '#accounts/groups/groups'
import { demand } from '#access/demand'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { changedGroup, groupDetail, groupItem } from '#transformers/accounts/group'
import { createGroupValidator, updateGroupValidator } from '#validators/accounts/group'
import { writeValidator } from '#validators/fields'
import { WHOLE_LIST } from '#lists/query'
import { GroupZones } from '#zones/ownership/group_zones'

/** /api/v2/groups */
@inject()
export default class GroupsController {
  constructor(private readonly zones: GroupZones) {}

  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, GROUP_LIST)
    const page = await listGroups(ctx.actor, query, this.#zoneCounts(ctx))
    return success(
      { groups: page.rows.map(groupItem) },
      'Groups retrieved successfully',
      pagedList(ctx, GROUP_LIST, query, page)
    )
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'group.manage' })
    const input = await validBody(ctx, createGroupValidator)
    const outcome = await accountWrite(ctx, input, (terms) =>
      createGroup(terms, {
        name: input.name,
        description: input.description ?? '',
        templateId: input.perm_templ_id,
      })
    )
    return answerOutcome(ctx, outcome, ({ id, name }) => {
      ctx.response.status(201)
      return success({ group: { id, name } }, 'Group created successfully')
    })
  }

  async show(ctx: HttpContext) {
    const id = addressId(ctx)
    const group = await findGroup(ctx.actor, id, this.#zoneCounts(ctx))
    const members = await listVisibleMembers(ctx.actor, id)
    const { rows } = await this.zones.list(ctx.actor, id, {
      ...WHOLE_LIST,
      sort: [{ field: 'zone_name' }],
    })
    return success({ group: groupDetail(group, members, rows) }, 'Group retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const input = await optionalBody(ctx, updateGroupValidator)
    const outcome = await accountWrite(ctx, input, (terms) =>
      updateGroup(terms, id, {
        name: input.name,
        description: input.description,
        templateId: input.perm_templ_id,
      })
    )
    return answerOutcome(ctx, outcome, (group) =>
      success({ group: changedGroup(group) }, 'Group updated successfully')
    )
  }

  async destroy(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) =>
      deleteGroup(terms, id, { isConfirmed: isConfirmed(ctx) })
    )
    return answerOutcome(ctx, outcome, () => success(null, 'Group deleted successfully'))
  }

  #zoneCounts({ actor }: HttpContext): ZoneCounts {
    return (ids) => this.zones.counts(actor, ids)
  }
}

/** Whether `?confirm=` confirms the deletion of a group that owns zones. */
function isConfirmed({ request }: HttpContext): boolean {
  const word = request.qs().confirm as string | undefined
  if (word !== undefined && !['true', '1', 'false', '0'].includes(word)) {
    throw invalid(
      `Query parameter 'confirm' must be true or false (or 1 or 0), found ${JSON.stringify(word.slice(0, 100))}`
    )
  }
  return word === 'true' || word === '1'
}
