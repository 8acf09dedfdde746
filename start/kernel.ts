import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'
import { checkRequestIds } from '#start/request_ids'

checkRequestIds()
server.errorHandler(() => import('#exceptions/handler'))
server.use([
  () => import('#middleware/stalled_client_middleware'),
  () => import('#middleware/api_headers_middleware'),
  () => import('#middleware/canonical_path_middleware'),
])

export const middleware = router.named({
  singleValues: () => import('#middleware/body/single_values_middleware'),
  apiEnabled: () => import('#middleware/api_enabled_middleware'),
  authentication: () => import('#middleware/authentication_middleware'),
  page: () => import('#middleware/page_middleware'),
  session: () => import('@adonisjs/session/session_middleware'),
  form: () => import('@adonisjs/core/bodyparser_middleware'),
  visitor: () => import('#middleware/visitor_middleware'),
  formBody: () => import('#middleware/body/form_body_middleware'),
  smallForm: () => import('#middleware/body/small_form_middleware'),
  wholeText: () => import('#middleware/body/whole_text_middleware'),
  shield: () => import('@adonisjs/shield/shield_middleware'),
  upload: () => import('#middleware/body/upload_middleware'),
  firstRun: () => import('#middleware/first_run_middleware'),
  signedIn: () => import('#middleware/signed_in_middleware'),
  storedForm: () => import('#middleware/stored_form_middleware'),
  heavyRequests: () => import('#middleware/heavy_requests_middleware'),
  idempotency: () => import('#middleware/idempotency_middleware'),
})
