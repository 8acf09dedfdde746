import type { HttpContext } from '@adonisjs/core/http'

/** /styleguide: every component, for developers of pages. In development only. */
export default class StyleguideController {
  handle({ view }: HttpContext) {
    return view.render('pages/styleguide')
  }
}
