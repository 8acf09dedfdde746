import type { HttpContext } from '@adonisjs/core/http'
import { notFound } from '#exceptions/refusal'
import { assets, type Asset } from '#web/framework/assets'

const CACHE_FOREVER = 'public, max-age=31536000, immutable'

/** /assets/{hash}/... */
export default class AssetsController {
  handle({ params, request, response }: HttpContext) {
    const files = assets()
    const asset = files.find((params['*'] as string[]).join('/'))
    if (!asset) {
      throw notFound('Not Found')
    }
    // A page of another release may request an old hash: it gets the current file without long
    // caching.
    const isCurrent = params.hash === files.hash
    response.header('Cache-Control', isCurrent ? CACHE_FOREVER : 'no-cache')
    response.header('Content-Type', asset.type)
    response.header('X-Content-Type-Options', 'nosniff')
    response.header('Cross-Origin-Resource-Policy', 'same-origin')
    response.header('Vary', 'Accept-Encoding')
    return response.send(
      encoded(asset, request.encoding(['br', 'gzip']), (name) => {
        response.header('Content-Encoding', name)
      })
    )
  }
}

/** The file in an encoding that the browser accepts. */
function encoded(asset: Asset, name: string | null, onEncoded: (name: string) => void): Buffer {
  if (name !== 'br' && name !== 'gzip') {
    return asset.plain
  }
  onEncoded(name)
  return asset[name]
}
