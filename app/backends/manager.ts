import { RuntimeException } from '@adonisjs/core/exceptions'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendMissing } from '#backends/contract/errors'
import type { BackendConfig, BackendsConfig } from '#backends/define_config'
import type { PluginKit } from '#backends/plugin_kit'

/** Creates a backend from the options of config/dns.ts for its driver, and the services for drivers. */
export type DriverFactory<Options> = (options: Options, kit: PluginKit) => DnsBackend

/** The drivers of providers. Creates each backend of config/dns.ts once. */
export class BackendManager {
  readonly #drivers = new Map<string, DriverFactory<unknown>>()
  readonly #createdBackends = new Map<string, { config: BackendConfig; backend: DnsBackend }>()
  /** Configurations of drivers that config/dns.ts does not name. */
  readonly #defaultConfigs = new Map<string, BackendConfig>()

  constructor(
    private readonly config: BackendsConfig,
    private readonly kit: () => PluginKit
  ) {}

  /** Allowed values of the setting `dns.backend`, after all providers registered their drivers. */
  get names(): string[] {
    return [...new Set([...Object.keys(this.config.backends), ...this.#drivers.keys()])].filter(
      (name) => this.#drivers.has(this.#configOf(name)?.driver ?? '')
    )
  }

  /** Registers a driver. Its service provider calls this, also one from an npm package. */
  extend<Options>(driver: string, factory: DriverFactory<Options>): this {
    this.#drivers.set(driver, (options, kit) => factory(options as Options, kit))
    return this
  }

  /**
   * The backend of that name in config/dns.ts; by default that of the setting `dns.backend`. A driver without a backend in
   * config/dns.ts is a backend of its own name, without options. Throws for an unknown name or driver.
   */
  use(name: string = this.config.backend): DnsBackend {
    const config = this.#configOf(name)
    if (!config) {
      throw new BackendMissing(name, this.names)
    }
    const created = this.#createdBackends.get(name)
    if (created?.config === config) {
      return created.backend
    }
    const factory = this.#drivers.get(config.driver)
    if (!factory) {
      throw new RuntimeException(
        `config/dns.ts: no service provider registered the driver '${config.driver}' of '${name}'`
      )
    }
    const backend = factory(config.options, this.kit())
    this.#createdBackends.set(name, { config, backend })
    return backend
  }

  #configOf(name: string): BackendConfig | undefined {
    if (Object.hasOwn(this.config.backends, name)) {
      return this.config.backends[name]
    }
    const isNamed = Object.values(this.config.backends).some(({ driver }) => driver === name)
    if (!this.#drivers.has(name) || isNamed) {
      return undefined
    }
    const config = this.#defaultConfigs.get(name) ?? { driver: name, options: {} }
    this.#defaultConfigs.set(name, config)
    return config
  }
}
