import { pathToFileURL } from 'node:url'
import { Env } from '@adonisjs/core/env'
import { Secret } from '@adonisjs/core/helpers'
import { InvalidSettingsError } from '#settings/errors'
import { HOME } from '#support/home'

const MIN_KEY_CHARACTERS = 16

function appKey(_: string, value?: string): Secret<string> {
  if (!value) {
    throw new Error('APP_KEY: found none, allowed: a secret; "node ace setup" creates one')
  }
  if (value.length < MIN_KEY_CHARACTERS) {
    throw new Error(
      `APP_KEY: found ******** in the environment, allowed: ${MIN_KEY_CHARACTERS} characters or more`
    )
  }
  return new Secret(value)
}

function port(name: string, value?: string): number | undefined {
  if (!value) {
    return undefined
  }
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new Error(
      `${name}: found "${value}" in the environment, allowed: a port number, 0..65535`
    )
  }
  return Number(value)
}

/**
 * Node replaces an unknown time zone by UTC without an error, and serials depend on the time zone.
 */
function timeZone(name: string, value?: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value || undefined })
  } catch {
    throw new Error(
      `${name}: found "${value}" in the environment, allowed: a time zone such as Europe/Berlin`
    )
  }
  return value || undefined
}

/**
 * The basics that must be known before any setting is read. Everything else is a setting, declared in
 * `config/` and documented in docs/reference/settings.md.
 */
const env = await Env.create(pathToFileURL(`${HOME}/`), {
  NODE_ENV: Env.schema.enum(['development', 'production', 'test'] as const),
  APP_KEY: appKey,
  APP_URL: Env.schema.string.optional({ format: 'url', tld: false }),
  HOST: Env.schema.string.optional({ format: 'host' }),
  PORT: port,
  TZ: timeZone,
  DB_CONNECTION: Env.schema.enum.optional(['sqlite', 'pg', 'mysql'] as const),
  DB_FILE: Env.schema.string.optional(),
  DB_HOST: Env.schema.string.optional(),
  DB_PORT: port,
  DB_USER: Env.schema.string.optional(),
  DB_PASSWORD: Env.schema.secret.optional(),
  DB_DATABASE: Env.schema.string.optional(),
}).catch((error: Error & { help?: string }) => {
  const lines = (error.help ?? error.message).split('\n').map((line) => line.replace(/^- /, ''))
  throw new InvalidSettingsError(lines)
})

// By default only this machine can connect.
process.env.HOST ||= '127.0.0.1'
process.env.PORT ||= '3333'

export default env
