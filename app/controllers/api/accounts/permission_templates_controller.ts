import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import {
  findTemplate,
  listTemplates,
  TEMPLATE_LIST,
} from '#accounts/templates/permission_templates'
import {
  createTemplate,
  deleteTemplate,
  demandTemplateCreation,
  demandTemplateDeletion,
  openTemplate,
  updateTemplate,
} from '#accounts/templates/writes'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { descriptionOf } from '#controllers/api/docs/descriptions'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { templateDetail, templateItem } from '#transformers/accounts/permission_template'
import { permissionTemplateValidator } from '#validators/accounts/permission_template'
import { writeValidator } from '#validators/fields'

/** /api/v2/permission-templates */
export default class PermissionTemplatesController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, TEMPLATE_LIST)
    const page = await listTemplates(ctx.actor, query)
    return success(
      { templates: page.rows.map(templateItem) },
      'Permission templates retrieved successfully',
      pagedList(ctx, TEMPLATE_LIST, query, page)
    )
  }

  async store(ctx: HttpContext) {
    demandTemplateCreation(ctx.actor)
    const input = await validBody(ctx, permissionTemplateValidator)
    const { name } = input
    const description = descriptionOf(input)
    if (name === undefined || description === undefined) {
      throw invalid('Missing required fields: name, descr')
    }
    const outcome = await accountWrite(ctx, input, (terms) =>
      createTemplate(terms, {
        name,
        description,
        type: input.template_type ?? 'user',
        permissions: input.permissions ?? [],
      })
    )
    return answerOutcome(ctx, outcome, ({ id }) => {
      ctx.response.status(201)
      return success({ id }, 'Permission template created successfully')
    })
  }

  async show(ctx: HttpContext) {
    const template = await findTemplate(ctx.actor, addressId(ctx))
    return success(
      { template: templateDetail(template) },
      'Permission template retrieved successfully'
    )
  }

  async update(ctx: HttpContext) {
    const id = addressId(ctx)
    await openTemplate(ctx.actor, id)
    const input = await validBody(ctx, permissionTemplateValidator)
    const outcome = await accountWrite(ctx, input, (terms) =>
      updateTemplate(terms, id, {
        name: input.name,
        description: descriptionOf(input),
        type: input.template_type,
        permissions: input.permissions,
      })
    )
    return answerOutcome(ctx, outcome, () =>
      success(null, 'Permission template updated successfully')
    )
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    await demandTemplateDeletion(ctx.actor, id)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => deleteTemplate(terms, id))
    return answerOutcome(ctx, outcome, () =>
      success(null, 'Permission template deleted successfully')
    )
  }
}
