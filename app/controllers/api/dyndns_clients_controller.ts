import type { HttpContext } from '@adonisjs/core/http'
import { listQueryOf, pagedList } from '#controllers/api/paging'
import { dyndnsClientItem } from '#transformers/dynamic_dns'
import { success } from '#transformers/envelope'
import { CLIENT_LIST, listClients } from '#zones/dynamic_dns/client_list'

/** /api/v2/dynamic-dns/clients */
export default class DyndnsClientsController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, CLIENT_LIST)
    const listed = await listClients(ctx.actor, query)
    return success(
      { clients: listed.rows.map(dyndnsClientItem) },
      'Clients retrieved successfully',
      pagedList(CLIENT_LIST, query, listed)
    )
  }
}
