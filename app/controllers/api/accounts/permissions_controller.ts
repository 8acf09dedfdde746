import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import {
  findPermission,
  listPermissions,
  PERMISSION_LIST,
} from '#accounts/templates/permission_list'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { success } from '#transformers/envelope'
import { permissionItem } from '#transformers/accounts/permission_template'

/** /api/v2/permissions */
export default class PermissionsController {
  index(ctx: HttpContext) {
    const query = listQueryOf(ctx, PERMISSION_LIST)
    const page = listPermissions(ctx.actor, query)
    return success(
      { permissions: page.rows.map(permissionItem) },
      'Permissions retrieved successfully',
      pagedList(ctx, PERMISSION_LIST, query, page)
    )
  }

  show(ctx: HttpContext) {
    const permission = findPermission(ctx.actor, addressId(ctx))
    return success({ permission: permissionItem(permission) }, 'Permission retrieved successfully')
  }
}
