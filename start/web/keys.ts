import router from '@adonisjs/core/services/router'
import { signedInPages } from '#start/web/sign_in'

const DyndnsController = () => import('#controllers/web/keys/dyndns_controller')
const HostTokensController = () => import('#controllers/web/keys/host_tokens_controller')
const KeyActionsController = () => import('#controllers/web/keys/key_actions_controller')
const KeysController = () => import('#controllers/web/keys/keys_controller')

/** API keys, and dynamic DNS. */
export function keyPages(): void {
  signedInPages(() => {
    router.get('/settings/api-keys', [KeysController, 'index'])
    router.get('/settings/api-keys/new', [KeysController, 'create'])
    router.post('/settings/api-keys/new', [KeysController, 'store'])
    router.get('/settings/api-keys/:id', [KeysController, 'edit'])
    router.post('/settings/api-keys/:id', [KeysController, 'update'])
    router.post('/settings/api-keys/:id/enable', [KeyActionsController, 'enable'])
    router.post('/settings/api-keys/:id/disable', [KeyActionsController, 'disable'])
    router.post('/settings/api-keys/:id/regenerate', [KeyActionsController, 'regenerate'])
    router.post('/settings/api-keys/:id/delete', [KeyActionsController, 'destroy'])

    router.get('/dyndns', [DyndnsController, 'index'])
    router.get('/dyndns/recipes', [DyndnsController, 'recipes'])
    router.get('/dyndns/tokens', [HostTokensController, 'index'])
    router.get('/dyndns/tokens/new', [HostTokensController, 'create'])
    router.post('/dyndns/tokens/new', [HostTokensController, 'store'])
    router.post('/dyndns/tokens/:id/delete', [HostTokensController, 'destroy'])
  })
}
