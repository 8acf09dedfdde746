import { pathToFileURL } from 'node:url'
import { Env } from '@adonisjs/core/env'
import { InvalidSettingsError } from '#settings/errors'
import { HOME } from '#start/home'

/**
 * The basics that must be known before any setting is read. Everything else is a setting, declared in
 * `config/` and documented in docs/settings.md.
 */
const env = await Env.create(pathToFileURL(`${HOME}/`), {
  NODE_ENV: Env.schema.enum(['development', 'production', 'test'] as const),
  APP_KEY: Env.schema.secret({ message: 'APP_KEY is missing: run "node ace setup" to make one' }),
  APP_URL: Env.schema.string.optional({ format: 'url', tld: false }),
  HOST: Env.schema.string.optional({ format: 'host' }),
  PORT: Env.schema.number.optional(),
  TZ: Env.schema.string.optional(),
  DB_CONNECTION: Env.schema.enum.optional(['sqlite', 'pg', 'mysql'] as const),
  DB_FILE: Env.schema.string.optional(),
  DB_HOST: Env.schema.string.optional(),
  DB_PORT: Env.schema.number.optional(),
  DB_USER: Env.schema.string.optional(),
  DB_PASSWORD: Env.schema.secret.optional(),
  DB_DATABASE: Env.schema.string.optional(),
}).catch((error: Error & { help?: string }) => {
  const lines = (error.help ?? error.message).split('\n').map((line) => line.replace(/^- /, ''))
  throw new InvalidSettingsError(lines)
})

// Reachable from this machine only, until the operator says otherwise.
process.env.HOST ??= '127.0.0.1'
process.env.PORT ??= '3333'

export default env
