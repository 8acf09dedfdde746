import type { HttpContext } from '@adonisjs/core/http'
import { listMembers, MEMBER_LIST, memberBatches } from '#accounts/groups/member_list'
import { addMember, removeMember } from '#accounts/groups/members'
import { openGroup } from '#accounts/groups/groups'
import { accountTerms, addressId } from '#controllers/api/account_terms'
import { listQueryOf, pagedList } from '#controllers/api/paging'
import { optionalBody } from '#controllers/api/request_body'
import { streamList } from '#controllers/api/streamed_list'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { memberItem } from '#transformers/group'
import { memberValidator } from '#validators/group'
import { writeValidator } from '#validators/write'

/** /api/v2/groups/{id}/members */
export default class GroupMembersController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, MEMBER_LIST)
    const message = 'Members retrieved successfully'
    if (!query.page) {
      const batches = memberBatches(ctx.actor, addressId(ctx), query)
      return streamList(ctx, batches, { member: 'members', item: memberItem, message })
    }
    const listed = await listMembers(ctx.actor, addressId(ctx), query)
    const members = listed.rows.map(memberItem)
    return success({ members }, message, pagedList(MEMBER_LIST, query, listed))
  }

  async store(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const input = await optionalBody(ctx, memberValidator)
    if (input.user_id === undefined) {
      throw invalid('Missing required field: user_id')
    }
    await addMember(accountTerms(ctx, input), id, input.user_id)
    ctx.response.status(201)
    return success(null, 'Member added successfully')
  }

  async destroy(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const terms = accountTerms(ctx, await optionalBody(ctx, writeValidator))
    await removeMember(terms, id, addressId(ctx, 'userId'))
    return success(null, 'Member removed successfully')
  }
}
