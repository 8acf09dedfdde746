import { pathToFileURL } from 'node:url'
import type { ApplicationService } from '@adonisjs/core/types'
import type { ContainerProviderContract } from '@adonisjs/core/types/app'
import plugins from '#config/plugins'
import { InvalidSettingsError } from '#settings/errors'
import { homePath } from '#support/home'

type Provider = ContainerProviderContract
type Step = 'register' | 'boot' | 'start' | 'ready'

/** Runs the service providers of the setting `plugins.providers` like those of adonisrc.ts. */
export default class PluginsProvider {
  readonly #providers: Provider[] = []

  constructor(protected app: ApplicationService) {}

  boot() {
    return this.#runStep('boot')
  }

  start() {
    return this.#runStep('start')
  }

  ready() {
    return this.#runStep('ready')
  }

  async shutdown() {
    for (const provider of this.#providers.reverse()) {
      await provider.shutdown?.()
    }
  }

  /** @throws InvalidSettingsError for a module that cannot be imported or is no provider */
  async register() {
    for (const name of plugins.providers) {
      const Provider = await this.#imported(name)
      this.#providers.push(new Provider(this.app))
    }
    await this.#runStep('register')
  }

  async #runStep(step: Step): Promise<void> {
    for (const provider of this.#providers) {
      await provider[step]?.()
    }
  }

  async #imported(name: string): Promise<new (app: ApplicationService) => Provider> {
    const isPath = name.startsWith('.') || name.startsWith('/')
    let loaded: { default?: unknown }
    try {
      loaded = (await import(isPath ? pathToFileURL(homePath(name)).href : name)) as object
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : ''
      throw new InvalidSettingsError([`plugins.providers: '${name}' cannot be loaded: ${reason}`])
    }
    if (typeof loaded.default !== 'function') {
      throw new InvalidSettingsError([
        `plugins.providers: '${name}' exports no service provider as its default (docs/reference/plugins.md)`,
      ])
    }
    return loaded.default as new (app: ApplicationService) => Provider
  }
}
