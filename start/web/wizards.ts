import router from '@adonisjs/core/services/router'
import { answeredByPage, ownPages } from '#start/web/sign_in'

const WizardsController = () => import('#controllers/web/records/wizards_controller')

/** Forms that make records, for the review of the zone's editor. */
export function wizardPages(): void {
  ownPages(() => {
    router.get('/zones/:id/wizards', [WizardsController, 'index'])
    router.get('/zones/:id/wizards/:kind', [WizardsController, 'show'])
    answeredByPage('/zones/:id/wizards/:kind', [WizardsController, 'preview'])
  })
}
