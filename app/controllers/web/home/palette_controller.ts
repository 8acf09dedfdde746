import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { Palette } from '#web/palette/palette'

/** /palette: suggestions of the Ctrl-K dialog as JSON. */
@inject()
export default class PaletteController {
  constructor(private readonly palette: Palette) {}

  async index({ request, response, actor, i18n }: HttpContext) {
    const { q = '', zone } = request.qs() as Record<string, string | undefined>
    const zoneId = zone !== undefined && /^\d{1,9}$/.test(zone) ? Number(zone) : null
    response.header('Cache-Control', 'no-store')
    return { groups: await this.palette.offers({ actor, i18n }, q.slice(0, 255), zoneId) }
  }
}
