import { RuntimeException } from '@adonisjs/core/exceptions'
import type { DnsBackend } from '#backends/contract'
import { BackendMissing } from '#backends/errors'
import type { BackendsConfig } from '#backends/define_config'

/** Makes a backend from the options that config/dns.ts gives its driver. */
export type DriverFactory<Options> = (options: Options) => DnsBackend

/** Knows the drivers that providers brought, and makes each backend of config/dns.ts once. */
export class BackendManager {
  readonly #drivers = new Map<string, DriverFactory<unknown>>()
  readonly #made = new Map<string, DnsBackend>()

  constructor(private readonly config: BackendsConfig) {}

  /** Adds a driver. Called by the driver's service provider, also by one from an npm package. */
  extend<Options>(driver: string, factory: DriverFactory<Options>): this {
    this.#drivers.set(driver, (options) => factory(options as Options))
    return this
  }

  /**
   * The backend of that name in config/dns.ts, by default the one that the setting `dns.backend` names.
   * Throws when the name or its driver is unknown.
   */
  use(name: string = this.config.backend): DnsBackend {
    const made = this.#made.get(name)
    if (made) {
      return made
    }
    const config = this.config.backends[name]
    if (!config) {
      throw new BackendMissing(name, Object.keys(this.config.backends))
    }
    const factory = this.#drivers.get(config.driver)
    if (!factory) {
      throw new RuntimeException(
        `config/dns.ts: no service provider brought the driver '${config.driver}' of '${name}'`
      )
    }
    const backend = factory(config.options)
    this.#made.set(name, backend)
    return backend
  }
}
