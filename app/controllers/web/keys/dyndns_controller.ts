import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { endpointOf } from '#controllers/api/docs/endpoint'
import type { FormProblem } from '#web/forms/errors'
import dyndns from '#config/dyndns'
import { InvalidDns } from '#dns/errors'
import { absoluteName } from '#dns/names'
import { dyndnsClientItem } from '#transformers/dynamic_dns'
import { wordsOf } from '#web/accounts/key_form'
import { columnsOf, LARGE_PAGE_ROWS, pagerOf, pageQuery } from '#web/page/list_page'
import { displayName } from '#web/page/display_name'
import { CLIENT_LIST, listClients } from '#zones/dynamic_dns/client_list'
import { recipesFor } from '#zones/dynamic_dns/router_guides'

const CODES = ['good', 'nochg', 'abuse', 'dnserr', '911']
const MAX_HOSTS = 20

/** /dyndns, /dyndns/recipes */
export default class DyndnsController {
  /** The client activity: the last update of each host. */
  async index(ctx: HttpContext) {
    const query = pageQuery(ctx, CLIENT_LIST, LARGE_PAGE_ROWS)
    const { rows, total } = await listClients(ctx.actor, query)
    return ctx.view.render('pages/dyndns/index', {
      clients: rows.map((row) => {
        const client = dyndnsClientItem(row)
        const code = CODES.find((one) => one === client.last_code) ?? 'other'
        return { ...client, host: displayName(client.hostname), code }
      }),
      q: query.q ?? '',
      sorted: columnsOf(ctx, ['hostname', 'last_seen_at', 'last_change_at', 'last_code'], query),
      maxRows: LARGE_PAGE_ROWS,
      pager: pagerOf(ctx, query.page, total ?? 0, rows.length),
      endpoint: endpointOf(ctx),
      isEnabled: dyndns.enabled,
    })
  }

  /** Router settings for the hosts of the URL. */
  recipes(ctx: HttpContext) {
    demand(ctx.actor, { action: 'dyndns.use' })
    const { hostname = '' } = ctx.request.qs() as { hostname?: string }
    const endpoint = endpointOf(ctx)
    let problem: FormProblem | null = null
    let hosts: string[] = []
    try {
      hosts = [
        ...new Set(
          wordsOf(hostname)
            .slice(0, MAX_HOSTS)
            .map((name) => absoluteName(name))
        ),
      ]
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      problem = { status: 422, message: error.message, lang: 'en' }
      ctx.response.status(422)
    }
    return ctx.view.render('pages/dyndns/recipes', {
      hostname,
      hosts,
      problem,
      endpoint,
      recipes: hosts.length > 0 ? recipesFor({ endpoint, hosts, secret: 'TOKEN' }) : [],
    })
  }
}
