import type { HttpContext } from '@adonisjs/core/http'
import { listQueryOf, pagedList } from '#controllers/api/paging'
import { streamList } from '#controllers/api/streamed_list'
import { dyndnsClientItem } from '#transformers/dynamic_dns'
import { success } from '#transformers/envelope'
import { CLIENT_LIST, clientBatches, listClients } from '#zones/dynamic_dns/client_list'

/** /api/v2/dynamic-dns/clients */
export default class DyndnsClientsController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, CLIENT_LIST)
    const message = 'Clients retrieved successfully'
    if (!query.page) {
      const batches = clientBatches(ctx.actor, query)
      return streamList(ctx, batches, { member: 'clients', item: dyndnsClientItem, message })
    }
    const listed = await listClients(ctx.actor, query)
    const clients = listed.rows.map(dyndnsClientItem)
    return success({ clients }, message, pagedList(CLIENT_LIST, query, listed))
  }
}
