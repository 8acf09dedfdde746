import type { HttpContext } from '@adonisjs/core/http'

/** / */
export default class HomeController {
  handle({ view }: HttpContext) {
    return view.render('pages/home')
  }
}
