import type { ApplicationService } from '@adonisjs/core/types'

/** The web interface: what its templates need once for all pages. */
export default class WebProvider {
  constructor(private readonly app: ApplicationService) {}

  /** Called when the application has booted. */
  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.inDev) {
      return
    }
    // Edge looks the folder of components up for every page, although they stay what they are.
    const { default: edge } = await import('edge.js')
    const components = edge.loader.listComponents()
    edge.loader.listComponents = () => components
  }
}
