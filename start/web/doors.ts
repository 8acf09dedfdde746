import router from '@adonisjs/core/services/router'
import { middleware } from '#start/kernel'

/** Routes of pages that everybody may look at. Nothing of this runs for the other doors. */
export function pages(routes: () => void) {
  return router.group(routes).as('web').use([
    middleware.page(),
    middleware.singleValues(),
    middleware.session(),
    middleware.visitor(),
    middleware.firstRun(),
    // Bodies are read once it is known who sends them.
    middleware.smallForm(),
    middleware.form(),
    middleware.shield(),
    middleware.wholeText(),
  ])
}

/** Routes of pages that take a sign-in: what strangers send is not read, they are led to it. */
export function ownPages(routes: () => void) {
  router
    .group(routes)
    .as('web')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.visitor(),
      middleware.firstRun(),
      middleware.signedIn(),
      middleware.form(),
      middleware.shield(),
      middleware.wholeText(),
    ])
    .where('id', /^(0|[1-9]\d*)$/)
    .where('keyId', /^[1-9]\d*$/)
    .where('entry', /^[1-9]\d{0,8}$/)
    .where('recordId', /^[A-Za-z0-9_\-=.]+$/)
}

/** Routes of forms that carry files and whole zones: they are read for nobody who did not sign in. */
export function ownUploads(routes: () => void) {
  router
    .group(routes)
    .as('web.uploads')
    .use([
      middleware.page(),
      middleware.singleValues(),
      middleware.session(),
      middleware.visitor(),
      middleware.signedIn(),
      middleware.upload(),
      middleware.shield(),
      middleware.wholeText(),
    ])
    .where('id', /^(0|[1-9]\d*)$/)
}
