import type { ApplicationService } from '@adonisjs/core/types'

/** The web interface: what its templates need once for all pages. */
export default class WebProvider {
  constructor(private readonly app: ApplicationService) {}

  /** Called when the application has booted. */
  async start() {
    if (!['web', 'test'].includes(this.app.getEnvironment()) || this.app.inDev) {
      return
    }
    // Templates stay what they are; Edge looks the folder of components up for every page.
    const { default: edge } = await import('edge.js')
    // Indentation is for who reads the template: it was an eighth of each page that was sent.
    edge.processor.process('raw', ({ raw }) => raw.replace(/^[ \t]+/gm, ''))
    const { cachePartials } = await import('#web/framework/cached_partials')
    const components = edge.loader.listComponents()
    edge.loader.listComponents = () => components
    cachePartials(edge.asyncCompiler)
  }

  /** Called when the server listens. Nobody waits for it, and nothing fails for it. */
  async ready() {
    if (this.app.getEnvironment() !== 'web' || !this.app.inProduction) {
      return
    }
    const { default: settings } = await import('#config/interface')
    if (!settings.web_enabled) {
      return
    }
    const { default: edge } = await import('edge.js')
    const { warmPages } = await import('#web/framework/preload_pages')
    const logger = await this.app.container.make('logger')
    warmPages(await this.app.container.make('router'), edge).catch((error: unknown) => {
      logger.warn({ err: error }, 'Pages could not be prepared for their first visitors')
    })
  }
}
