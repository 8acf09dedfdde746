import type { HttpContext } from '@adonisjs/core/http'
import { notFound } from '#exceptions/refusal'
import { helpPages } from '#web/help/help_pages'

const ONE_DAY = 'private, max-age=86400'

/** /help: the documentation of this release. */
export default class HelpController {
  show({ params, view }: HttpContext) {
    const path = ((params['*'] ?? []) as string[]).join('/')
    const page = helpPages.find(path)
    if (!page) throw notFound('Not Found')
    return view.render('pages/help/show', { page, folders: helpPages.folders(path) })
  }

  image({ params, response }: HttpContext) {
    const image = helpPages.image(params.name as string)
    if (!image) throw notFound('Not Found')
    response.header('Cache-Control', ONE_DAY)
    response.header('Content-Type', image.type)
    response.header('X-Content-Type-Options', 'nosniff')
    return response.send(image.content)
  }
}
