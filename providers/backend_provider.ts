import type { ApplicationService } from '@adonisjs/core/types'
import { BackendManager } from '#backends/manager'
import type { BackendsConfig } from '#backends/define_config'

/** Binds the manager of DNS backends, as config/dns.ts describes them. */
export default class BackendProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton(BackendManager, () => {
      return new BackendManager(this.app.config.get<BackendsConfig>('dns'))
    })
  }
}
