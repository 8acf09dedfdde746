import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { HttpContext } from '@adonisjs/core/http'
import api from '#config/api'
import { apiDescription } from '#openapi/api'
import { DOCS_PAGE, DOCS_SCRIPT } from '#controllers/api/docs/docs_page'
import { notFound } from '#exceptions/refusal'
import { filesPolicy, securePage } from '#web/page/security_headers'

/** Files of `swagger-ui-dist` that are served. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const CACHE_ONE_DAY = 'public, max-age=86400'

/**
 * /api/docs: the OpenAPI description and its page. No key is needed, and the API may be disabled.
 */
export default class DocsController {
  #description: string | undefined

  page({ response }: HttpContext) {
    demandDocs()
    securePage(response, filesPolicy())
    response.header('Content-Type', 'text/html; charset=utf-8')
    return response.send(DOCS_PAGE)
  }

  description({ response }: HttpContext) {
    demandDocs()
    response.header('Content-Type', 'application/json; charset=utf-8')
    this.#description ??= JSON.stringify(apiDescription())
    return response.send(this.#description)
  }

  script({ response }: HttpContext) {
    demandDocs()
    response.header('Content-Type', 'text/javascript; charset=utf-8')
    return response.send(DOCS_SCRIPT)
  }

  asset({ params, response }: HttpContext) {
    demandDocs()
    const name = String(params.asset)
    if (!Object.hasOwn(ASSETS, name)) {
      throw notFound('Not Found')
    }
    response.header('Content-Type', ASSETS[name])
    response.header('Cache-Control', CACHE_ONE_DAY)
    return response.stream(createReadStream(join(assetFolder(), name)))
  }
}

/** Throws a 404 `Refusal` if `api.docs_enabled` is off. */
function demandDocs(): void {
  if (!api.docs_enabled) {
    throw notFound('Not Found')
  }
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}
