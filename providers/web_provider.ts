import type { ApplicationService } from '@adonisjs/core/types'

/** Prepares the template engine for the web interface. */
export default class WebProvider {
  constructor(private readonly app: ApplicationService) {}

  /** Called when the application has booted. */
  async start() {
    if (!['web', 'test'].includes(this.app.getEnvironment()) || this.app.inDev) {
      return
    }
    // Templates do not change in production, but Edge lists the components folder for every page.
    const { default: edge } = await import('edge.js')
    // Indentation was one eighth of each page.
    edge.processor.process('raw', ({ raw }) => raw.replace(/^[ \t]+/gm, ''))
    const { cachePartials } = await import('#web/framework/cached_partials')
    const components = edge.loader.listComponents()
    edge.loader.listComponents = () => components
    cachePartials(edge.asyncCompiler)
  }

  /** Called when the server listens. Runs in the background; errors are only logged. */
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
      logger.warn({ err: error }, 'Preloading of pages failed')
    })
  }
}
