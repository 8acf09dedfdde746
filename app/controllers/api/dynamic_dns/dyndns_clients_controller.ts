import type { HttpContext } from '@adonisjs/core/http'
import { answerList } from '#controllers/support/declared_list'
import { dyndnsClientItem } from '#transformers/dynamic_dns'
import { CLIENT_LIST, clientBatches, listClients } from '#zones/dynamic_dns/client_list'

/** /api/v2/dynamic-dns/clients */
export default class DyndnsClientsController {
  async index(ctx: HttpContext) {
    return answerList(
      ctx,
      CLIENT_LIST,
      {
        page: (query) => listClients(ctx.actor, query),
        batches: (query) => clientBatches(ctx.actor, query),
      },
      { member: 'clients', item: dyndnsClientItem, message: 'Clients retrieved successfully' }
    )
  }
}
