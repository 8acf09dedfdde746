import router from '@adonisjs/core/services/router'
import { ownPages } from '#start/web/doors'

const NamesController = () => import('#controllers/web/names_controller')
const PaletteController = () => import('#controllers/web/palette_controller')
const SearchPageController = () => import('#controllers/web/search_page_controller')

/** Finding anything. */
export function searchPages(): void {
  ownPages(() => {
    router.get('/search', [SearchPageController, 'index'])
    router.get('/palette', [PaletteController, 'index'])
    router.get('/names', [NamesController, 'index'])
  })
}
