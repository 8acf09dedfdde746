import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { pageQuery } from '#web/list_page'
import { ZONE_LIST, ZoneList } from '#zones/zone_list'

/** / */
@inject()
export default class HomeController {
  constructor(private readonly zones: ZoneList) {}

  async handle(ctx: HttpContext) {
    const query = { ...pageQuery(ctx, ZONE_LIST), page: { number: 1, size: 1, offset: 0 } }
    const { total } = await this.zones.page(ctx.actor, query)
    return ctx.view.render('pages/home', { zones: total ?? 0 })
  }
}
