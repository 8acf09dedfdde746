import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { settingGroups } from '#web/admin/settings_view'

/** /settings: settings of this installation with their source. */
export default class SettingsController {
  handle(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.view_settings' })
    const { q = '', chosen = '' } = ctx.request.qs() as Record<string, string | undefined>
    const asked = q.slice(0, 200)
    return ctx.view.render('pages/settings/index', {
      q: asked,
      isChosen: chosen !== '',
      groups: settingGroups(asked, chosen !== ''),
    })
  }
}
