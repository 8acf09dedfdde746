import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { listMembers, MEMBER_LIST, memberBatches } from '#accounts/groups/member_list'
import { addMember, removeMember } from '#accounts/groups/members'
import { openGroup } from '#accounts/groups/groups'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { answerList } from '#controllers/support/declared_list'
import { optionalBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { memberItem } from '#transformers/accounts/group'
import { memberValidator } from '#validators/accounts/group'
import { writeValidator } from '#validators/fields'

/** /api/v2/groups/{id}/members */
export default class GroupMembersController {
  async index(ctx: HttpContext) {
    const id = addressId(ctx)
    return answerList(
      ctx,
      MEMBER_LIST,
      {
        page: (query) => listMembers(ctx.actor, id, query),
        batches: (query) => memberBatches(ctx.actor, id, query),
      },
      { member: 'members', item: memberItem, message: 'Members retrieved successfully' }
    )
  }

  async store(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const input = await optionalBody(ctx, memberValidator)
    const { user_id: userId } = input
    if (userId === undefined) {
      throw invalid('Missing required field: user_id')
    }
    const outcome = await accountWrite(ctx, input, (terms) => addMember(terms, id, userId))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(201)
      return success(null, 'Member added successfully')
    })
  }

  async destroy(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) =>
      removeMember(terms, id, addressId(ctx, 'userId'))
    )
    return answerOutcome(ctx, outcome, () => success(null, 'Member removed successfully'))
  }
}
