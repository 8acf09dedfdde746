import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#exceptions/handler'))
server.use([
  () => import('#middleware/api_headers_middleware'),
  () => import('#middleware/canonical_path_middleware'),
])

export const middleware = router.named({
  singleValues: () => import('#middleware/single_values_middleware'),
  apiEnabled: () => import('#middleware/api_enabled_middleware'),
  authentication: () => import('#middleware/authentication_middleware'),
  idempotency: () => import('#middleware/idempotency_middleware'),
})
