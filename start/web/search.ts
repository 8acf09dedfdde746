import router from '@adonisjs/core/services/router'
import { signedInPages } from '#start/web/sign_in'

const LiveController = () => import('#controllers/web/home/live_controller')
const NamesController = () => import('#controllers/web/zones/names_controller')
const PaletteController = () => import('#controllers/web/home/palette_controller')
const SearchPageController = () => import('#controllers/web/home/search_page_controller')

/** Search and command palette. */
export function searchPages(): void {
  signedInPages(() => {
    router.get('/search', [SearchPageController, 'index'])
    router.get('/palette', [PaletteController, 'index'])
    router.get('/names', [NamesController, 'index'])
  })
}

/** Live events. */
export function livePages(): void {
  signedInPages(() => {
    router.get('/live', [LiveController, 'stream'])
  })
}
